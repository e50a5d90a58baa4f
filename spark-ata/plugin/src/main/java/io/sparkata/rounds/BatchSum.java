package io.sparkata.rounds;

import java.io.Serializable;

/** Gradient, loss and number of the sampled rows of one round, summed. */
public class BatchSum implements Serializable {
  private static final long serialVersionUID = 1L;

  private double[] gradient;
  private double loss;
  private long count;

  /** Adds rows; takes ownership of {@code rowGradient}, which may be null where count is 0. */
  public final void add(double[] rowGradient, double rowLoss, long rowCount) {
    if (gradient == null) {
      gradient = rowGradient;
    } else if (rowGradient != null) {
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] += rowGradient[i];
      }
    }
    loss += rowLoss;
    count += rowCount;
  }

  /** Adds another sum, which is spent. */
  public final void addSum(BatchSum other) {
    add(other.gradient, other.loss, other.count);
  }

  /** Sum of the rows' gradients; null if there was no row. */
  public final double[] gradient() {
    return gradient;
  }

  /** Sum of the rows' losses. */
  public final double loss() {
    return loss;
  }

  /** Number of rows. */
  public final long count() {
    return count;
  }
}
