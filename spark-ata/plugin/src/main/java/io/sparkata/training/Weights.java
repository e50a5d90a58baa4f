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
record Weights(Doubles inline, Broadcast<double[]> broadcast)
    implements Serializable, AutoCloseable {

  /**
   * @param largestInline the most weights that travel with the tasks
   */
  static Weights of(JavaSparkContext context, double[] weights, int largestInline) {
    return weights.length <= largestInline
        ? new Weights(new Doubles(weights), null)
        : new Weights(null, context.broadcast(weights));
  }

  double[] value() {
    return broadcast == null ? inline.values() : broadcast.value();
  }

  @Override
  public void close() {
    if (broadcast != null) {
      broadcast.destroy();
    }
  }
}
