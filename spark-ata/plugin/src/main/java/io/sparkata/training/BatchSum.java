package io.sparkata.training;

import io.sparkata.blocks.NumberArrays.Doubles;
import java.io.Serializable;

/** Gradient, loss and number of the sampled rows of one mini-batch, summed. */
class BatchSum implements Serializable {
  private static final long serialVersionUID = 1L;

  private Doubles gradient;
  private double loss;
  private long count;

  /** Adds rows; takes ownership of {@code rowGradient}, which may be null if the count is 0. */
  final void add(double[] rowGradient, double rowLoss, long rowCount) {
    if (rowGradient != null && gradient == null) {
      gradient = new Doubles(rowGradient);
    } else if (rowGradient != null) {
      double[] sum = gradient.values();
      for (int i = 0; i < sum.length; i++) {
        sum[i] += rowGradient[i];
      }
    }
    loss += rowLoss;
    count += rowCount;
  }

  /** Adds another sum, which must not be used after. */
  final BatchSum merge(BatchSum other) {
    add(other.gradient(), other.loss, other.count);
    return this;
  }

  /** Sum of the rows' gradients; null if there was no row. */
  final double[] gradient() {
    return gradient == null ? null : gradient.values();
  }

  /** Sum of the rows' losses. */
  final double loss() {
    return loss;
  }

  /** Number of rows. */
  final long count() {
    return count;
  }
}
