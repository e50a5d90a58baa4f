package io.sparkata.kernel;

import io.sparkata.blocks.PackedBlock;
import java.util.Arrays;

/**
 * Multinomial logistic loss over packed rows, by MLlib's formulas: one margin for each class except
 * the first, with the weights of one class after the other.
 *
 * <p>MLlib leaves values of 0 out of its sums, which changes the result if a weight or a feature is
 * not finite. Batches with such a margin go through MLlib's own gradient. So does the first row of
 * each call, whose checks of the number of weights then apply.
 */
record MultinomialKernel(RowByRowKernel others) implements GradientKernel {
  private static final Softmax SOFTMAX = Softmax.get();

  @Override
  public double add(
      PackedBlock block, int[] rows, int first, int count, double[] weights, double[] gradient) {
    int width = block.width();
    if (count == 0 || width == 0 || weights.length % width != 0) {
      return others.add(block, rows, first, count, weights, gradient);
    }
    double loss = others.add(block, rows, first, /* count= */ 1, weights, gradient);
    int classes = weights.length / width;
    int second = rows == null ? first + 1 : 1;
    RowBatches batches = RowBatches.of(block, rows, second, count - 1, classes);
    int stride = (batches.most() + SOFTMAX.lanes() - 1) / SOFTMAX.lanes() * SOFTMAX.lanes();
    double[] margins = new double[classes * stride];
    double[] losses = new double[stride];
    int[] batchRows = new int[stride];
    while (batches.next()) {
      for (int k = 0; k < classes; k++) {
        batches.multiply(weights, k * width, margins, k * stride);
      }
      if (areFinite(margins, classes, stride, batches.size())) {
        loss += toMultipliers(margins, stride, batches, losses);
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
   * Replaces the batch's margins by each row's factor for each class: the probability, less 1 for
   * the row's own class. Returns the sum of the losses.
   *
   * @param losses array of the length of the stride
   */
  private static double toMultipliers(
      double[] margins, int stride, RowBatches batches, double[] losses) {
    for (int i = 0; i < batches.size(); i++) {
      int own = own(margins, stride, batches.labels()[i], i);
      losses[i] = own < 0 ? 0 : -margins[own];
    }
    SOFTMAX.normalize(margins, stride, batches.size(), losses);
    double loss = 0;
    for (int i = 0; i < batches.size(); i++) {
      loss += losses[i];
      double label = batches.labels()[i];
      int own = own(margins, stride, label, i);
      if (own >= 0 && label == (int) label) {
        margins[own] -= 1;
      }
    }
    return loss;
  }

  /**
   * The position of the margin of row {@code i}'s class; negative for the first class and for
   * invalid labels.
   */
  private static int own(double[] margins, int stride, double label, int i) {
    int k = (int) label - 1;
    return label >= 1 && k < margins.length / stride ? k * stride + i : -1;
  }
}
