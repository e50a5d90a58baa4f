package io.sparkata.kernel;

import io.sparkata.blocks.PackedBlock;

/**
 * Adds up gradient and loss over chosen rows of blocks. One object is for one task: every call gets
 * the same weights and the same gradient array. The sums are complete after {@link #finish}.
 */
public interface GradientKernel {
  /**
   * Adds the gradient of {@code count} rows into {@code gradient}, and returns their loss. A GPU
   * may add both in a later call instead, and keeps the block until then.
   *
   * @param block the rows
   * @param rows positions of the rows within the block, strictly ascending; null for rows {@code
   *     first .. first + count}
   * @param first the first row where {@code rows} is null
   * @param count number of rows
   * @param weights the model, not changed
   * @param gradient same length as {@code weights}, added into
   */
  double add(
      PackedBlock block, int[] rows, int first, int count, double[] weights, double[] gradient);

  /** Adds what earlier calls have left, and returns its loss. */
  default double finish(double[] weights, double[] gradient) {
    return 0;
  }
}
