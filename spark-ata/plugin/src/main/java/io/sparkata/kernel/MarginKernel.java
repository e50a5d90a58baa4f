package io.sparkata.kernel;

import io.sparkata.blocks.PackedBlock;
import java.util.Locale;

/**
 * Gradients of losses with one margin per row. Computes margins, multipliers and the sum for a few
 * rows while these are in cache. Mixed blocks, and blocks whose width differs from the weights', go
 * row by row through MLlib's gradient, whose checks then apply. So do blocks without features,
 * which some gradients refuse.
 */
record MarginKernel(MarginLoss loss, RowByRowKernel others) implements GradientKernel {

  /** The name of the loss, in lower case. */
  String lossName() {
    return loss.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public double add(
      PackedBlock block, int[] rows, int first, int count, double[] weights, double[] gradient) {
    if (block.width() == 0 || block.width() != weights.length) {
      return others.add(block, rows, first, count, weights, gradient);
    }
    int begin = rows == null ? first : 0;
    RowBatches batches = RowBatches.of(block, rows, begin, count, /* vectors= */ 1);
    double[] margins = new double[batches.most()];
    double sum = 0;
    boolean isLeft = batches.next();
    if (isLeft) {
      batches.multiply(weights, /* at= */ 0, margins, /* to= */ 0);
    }
    while (isLeft) {
      sum += loss.toMultipliers(margins, batches.labels(), batches.size());
      isLeft = batches.addAndMultiplyNext(gradient, margins, loss.leavesZerosOut(), weights);
    }
    return sum;
  }
}
