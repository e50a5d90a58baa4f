package io.sparkata.training;

import io.sparkata.blocks.NumberArrays;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.Serializable;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Sends the model to the tasks: a small one with the tasks, a large one by its own broadcast, which
 * {@link #close} destroys.
 */
final class Weights implements Serializable, AutoCloseable {
  private static final long serialVersionUID = 1L;

  private final double[] inline;
  private final Broadcast<double[]> broadcast;

  private Weights(double[] inline, Broadcast<double[]> broadcast) {
    this.inline = inline;
    this.broadcast = broadcast;
  }

  /**
   * @param largestInline the most weights that travel with the tasks
   */
  static Weights of(JavaSparkContext context, double[] weights, int largestInline) {
    return weights.length <= largestInline
        ? new Weights(weights, null)
        : new Weights(null, context.broadcast(weights));
  }

  double[] value() {
    return broadcast == null ? inline : broadcast.value();
  }

  @Override
  public void close() {
    if (broadcast != null) {
      broadcast.destroy();
    }
  }

  /** For Java's serialization. */
  private Object writeReplace() {
    return broadcast == null ? new Inline(inline) : this;
  }

  /** Weights as they travel with tasks. */
  static final class Inline implements Externalizable {
    private static final long serialVersionUID = 1L;

    private double[] weights;

    /** For Java's serialization. */
    public Inline() {}

    Inline(double[] weights) {
      this.weights = weights;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      NumberArrays.write(out, weights, 0);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      weights = NumberArrays.readDoubles(in, 0);
    }

    private Object readResolve() {
      return new Weights(weights, null);
    }
  }
}
