package io.sparkata.cuda;

import io.sparkata.blocks.MixedBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.spark.mllib.optimization.Gradient;

/**
 * The arguments of a {@link GradientKernel}, without the sum that it adds into.
 *
 * @param loss as {@link #lossOf} numbers it
 * @param block the rows
 * @param rows positions of the rows in the block, strictly ascending; null for {@code count} rows
 *     from {@code first} on
 * @param first the first row if {@code rows} is null
 * @param count number of rows
 * @param weights the model: one per feature and class without the first class; not changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record GradientRequest(
    int loss, PackedBlock block, int[] rows, int first, int count, double[] weights) {
  /** The largest result that fits into a buffer. */
  private static final int WIDEST = 1 << 27;

  /** Not a number in gradients.cu: this loss has separate kernels. */
  private static final int MULTINOMIAL = -1;

  /** The losses of one margin by their numbers in gradients.cu. */
  private static final Map<String, Integer> LOSSES =
      Map.of("logistic", 0, "least-squares", 1, "hinge", 2, "multinomial", MULTINOMIAL);

  /** The number of the gradient's loss; empty if the device has no kernel for it. */
  static OptionalInt lossOf(Gradient gradient) {
    Integer loss = LOSSES.get(Kernels.kindOf(gradient));
    return loss == null ? OptionalInt.empty() : OptionalInt.of(loss);
  }

  boolean isMultinomial() {
    return loss == MULTINOMIAL;
  }

  /** Whether the device has a kernel for these rows, and the result fits into a buffer. */
  boolean fitsDevice() {
    return !(block instanceof MixedBlock)
        && count > 0
        && block.width() > 0
        && (isMultinomial() ? hasWholeClasses() : block.width() == weights.length)
        && weights.length <= WIDEST;
  }

  /** Whether the weights are those of one or more whole classes. */
  boolean hasWholeClasses() {
    return block.width() != 0 && weights.length != 0 && weights.length % block.width() == 0;
  }

  /** The first row only. */
  GradientRequest firstRow() {
    return new GradientRequest(loss, block, rows, first, /* count= */ 1, weights);
  }

  /** All rows but the first. */
  GradientRequest otherRows() {
    int[] others = rows == null ? null : Arrays.copyOfRange(rows, 1, count);
    return new GradientRequest(loss, block, others, first + 1, count - 1, weights);
  }

  /** As {@link GradientKernel#add}. */
  double addOnCpu(GradientKernel cpu, double[] sum) {
    return cpu.add(block, rows, first, count, weights, sum);
  }
}
