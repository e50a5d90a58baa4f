package io.sparkata.kernel;

import io.sparkata.data.PackedBlock;
import io.sparkata.data.SparseBlock;
import java.util.Locale;

/**
 * Losses of one margin per row, over packed rows: margins, multipliers and the sum of a few rows
 * while these are in cache. Blocks of another width than the weights, or mixed, go row by row, so
 * that MLlib's own checks speak; those without features too, which some of MLlib's gradients
 * refuse.
 */
final class MarginKernel implements GradientKernel {
  private final MarginLoss loss;
  private final RowByRowKernel others;
  private final int fewestPaired;
  private long nonZeros;
  private PairedSums paired;

  MarginKernel(MarginLoss loss, RowByRowKernel others) {
    this(loss, others, PairedSums.FEWEST_WEIGHTS);
  }

  /**
   * @param fewestPaired weights from which on sparse rows' sums may be kept beside them
   */
  MarginKernel(MarginLoss loss, RowByRowKernel others, int fewestPaired) {
    this.loss = loss;
    this.others = others;
    this.fewestPaired = fewestPaired;
  }

  /** The loss as a user would write it. */
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
    if (block instanceof SparseBlock sparse && isPaired(sparse, count, weights)) {
      double[] pairs = paired.pairs();
      return add(new PairedBatches(sparse, rows, begin, count), pairs, pairs);
    }
    return add(RowBatches.of(block, rows, begin, count, /* vectors= */ 1), weights, gradient);
  }

  private double add(RowBatches batches, double[] weights, double[] gradient) {
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

  /** From when on it pays: the rows of the task so far say how long the task is. */
  private boolean isPaired(SparseBlock block, int count, double[] weights) {
    nonZeros += (long) count * block.indices().length / Math.max(1, block.rows());
    Runtime jvm = Runtime.getRuntime();
    if (paired == null
        && weights.length >= fewestPaired
        && PairedSums.pay(weights.length, nonZeros)
        && PairedSums.fit(weights.length, jvm.maxMemory(), jvm.availableProcessors())) {
      paired = new PairedSums(weights);
    }
    return paired != null;
  }

  @Override
  public void finish(double[] gradient) {
    if (paired != null) {
      paired.addTo(gradient);
      paired = null;
    }
    nonZeros = 0;
  }
}
