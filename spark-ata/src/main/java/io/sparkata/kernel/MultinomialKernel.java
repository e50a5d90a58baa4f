package io.sparkata.kernel;

import io.sparkata.data.PackedBlock;
import java.util.Arrays;

/**
 * Multinomial logistic loss over packed rows, by MLlib's formulas: one margin for each class but
 * the first, whose weights stand one class after the other.
 *
 * <p>MLlib leaves values of 0 out of its sums, which shows where a weight or a feature is not
 * finite: batches with such a margin go through its own gradient. So does the first row of each
 * call, for its checks of the weights' number.
 */
final class MultinomialKernel implements GradientKernel {
  private final RowByRowKernel others;

  MultinomialKernel(RowByRowKernel others) {
    this.others = others;
  }

  @Override
  public double add(
      PackedBlock block, int[] rows, int first, int count, double[] weights, double[] gradient) {
    int width = block.width();
    if (count == 0 || width == 0 || weights.length % width != 0) {
      return others.add(block, rows, first, count, weights, gradient);
    }
    double loss = others.add(block, rows, first, /* count= */ 1, weights, gradient);
    int[] rest = rows == null ? null : Arrays.copyOfRange(rows, 1, count);
    RowBatches batches = RowBatches.of(block, rest, first + 1, count - 1);
    int classes = weights.length / width;
    int stride = batches.most();
    double[] margins = new double[classes * stride];
    int[] batchRows = new int[stride];
    while (batches.next()) {
      for (int k = 0; k < classes; k++) {
        batches.multiply(weights, k * width, margins, k * stride);
      }
      if (areFinite(margins, classes, stride, batches.size())) {
        for (int i = 0; i < batches.size(); i++) {
          loss += toMultipliers(margins, i, stride, batches.labels()[i]);
        }
        for (int k = 0; k < classes; k++) {
          batches.addTo(gradient, k * width, margins, k * stride, /* leavesZerosOut= */ false);
        }
      } else {
        Arrays.setAll(batchRows, i -> i < batches.size() ? batches.row(i) : 0);
        loss += others.add(block, batchRows, /* first= */ 0, batches.size(), weights, gradient);
      }
    }
    return loss;
  }

  private static boolean areFinite(double[] margins, int classes, int stride, int size) {
    boolean areFinite = true;
    for (int k = 0; k < classes; k++) {
      for (int i = 0; i < size; i++) {
        areFinite &= Double.isFinite(margins[k * stride + i]);
      }
    }
    return areFinite;
  }

  /**
   * Replaces a row's margins, {@code stride} apart, by what it is multiplied with for each class,
   * and returns its loss. The largest margin is taken off where it is positive, so that no power
   * overflows.
   */
  private static double toMultipliers(double[] margins, int row, int stride, double label) {
    int largest = row;
    for (int at = row; at < margins.length; at += stride) {
      largest = margins[at] > margins[largest] ? at : largest;
    }
    double shift = Math.max(0, margins[largest]);
    int labelled = (int) label - 1;
    double ofLabel =
        labelled >= 0 && labelled < margins.length / stride ? margins[labelled * stride + row] : 0;
    double powers = shift > 0 ? Math.exp(-shift) : 0; // all but one that is e^0
    for (int at = row; at < margins.length; at += stride) {
      margins[at] = Math.exp(margins[at] - shift);
      powers += shift > 0 && at == largest ? 0 : margins[at];
    }
    for (int k = 0, at = row; at < margins.length; k++, at += stride) {
      margins[at] = margins[at] / (powers + 1) - (label == k + 1 ? 1 : 0);
    }
    return Math.log1p(powers) + shift - (label > 0 ? ofLabel : 0);
  }
}
