package io.sparkata.training;

import io.sparkata.blocks.NumberArrays.Doubles;
import java.io.Serializable;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Sends the model to the tasks: a small one with the tasks, a large one by its own broadcast, which
 * {@link #close} destroys.
 *
 * @param inline null for a large one
 * @param broadcast null for a small one
 */
record Weights(Doubles inline, Broadcast<Doubles> broadcast)
    implements Serializable, AutoCloseable {

  /**
   * @param largestInline the most weights that travel with the tasks
   */
  static Weights of(JavaSparkContext context, double[] weights, int largestInline) {
    Doubles sent = new Doubles(weights);
    return weights.length <= largestInline
        ? new Weights(sent, null)
        : new Weights(null, context.broadcast(sent));
  }

  /** The same, which travel with the tasks. */
  Weights lasting() {
    return broadcast == null ? this : new Weights(broadcast.value(), null);
  }

  double[] value() {
    return (broadcast == null ? inline : broadcast.value()).values();
  }

  @Override
  public void close() {
    if (broadcast != null) {
      broadcast.destroy();
    }
  }
}
