package io.sparkata.cuda;

import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.spark.mllib.optimization.Gradient;

/**
 * Rows of one layout whose gradient is computed by one launch of a kernel.
 *
 * @param loss as {@link #lossOf} numbers it
 * @param parts one or more
 * @param weights the model: one per feature and class without the first class; not changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record GradientRequest(int loss, List<Part> parts, double[] weights) {
  /** Not a number in gradients.cu: this loss has separate kernels. */
  private static final int MULTINOMIAL = -1;

  /** The losses of one margin by their numbers in gradients.cu. */
  private static final Map<String, Integer> LOSSES =
      Map.of("logistic", 0, "least-squares", 1, "hinge", 2, "multinomial", MULTINOMIAL);

  /**
   * Rows of one block.
   *
   * @param rows positions of the rows in the block, strictly ascending; null for {@code count} rows
   *     from {@code first} on
   * @param first the first row if {@code rows} is null
   * @param count number of rows, 1 or more
   */
  record Part(PackedBlock block, int[] rows, int first, int count) {
    /** As {@link GradientKernel#add}. */
    double addOnCpu(GradientKernel cpu, double[] weights, double[] sum) {
      return cpu.add(block, rows, first, count, weights, sum);
    }

    /** What the rows of a request have in common. */
    Layout layout() {
      return new Layout(block instanceof SparseBlock, block.width());
    }
  }

  /**
   * The form of packed rows.
   *
   * @param width number of features
   */
  record Layout(boolean isSparse, int width) {}

  /** The number of the gradient's loss; empty if the device has no kernel for it. */
  static OptionalInt lossOf(Gradient gradient) {
    Integer loss = LOSSES.get(Kernels.kindOf(gradient));
    return loss == null ? OptionalInt.empty() : OptionalInt.of(loss);
  }

  static boolean isMultinomial(int loss) {
    return loss == MULTINOMIAL;
  }

  boolean isMultinomial() {
    return isMultinomial(loss);
  }

  /** The same for some of the parts. */
  GradientRequest of(List<Part> some) {
    return new GradientRequest(loss, some, weights);
  }

  Layout layout() {
    return parts.get(0).layout();
  }

  /** Rows of all parts. */
  int count() {
    return Math.toIntExact(parts.stream().mapToLong(Part::count).sum());
  }

  /** Whether any part has positions. */
  boolean hasPositions() {
    return parts.stream().anyMatch(part -> part.rows() != null);
  }

  /** About how many non-zeros the sparse rows have, by the mean of each block. */
  long nonZeros() {
    return parts.stream().mapToLong(GradientRequest::nonZeros).sum();
  }

  private static long nonZeros(Part part) {
    long stored = ((SparseBlock) part.block()).indices().length;
    return stored * part.count() / Math.max(1, part.block().rows());
  }
}
