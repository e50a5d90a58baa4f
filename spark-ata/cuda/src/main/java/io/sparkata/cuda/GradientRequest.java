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
 * What a {@link GradientKernel} is asked for, but for the sum that it adds into.
 *
 * @param loss as {@link #lossOf} numbers it
 * @param block the rows
 * @param rows positions of the rows within the block, strictly ascending; null for rows {@code
 *     first .. first + count}
 * @param first the first row where {@code rows} is null
 * @param count number of rows
 * @param weights the model: one for each feature, times the classes but the first; not changed
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record GradientRequest(
    int loss, PackedBlock block, int[] rows, int first, int count, double[] weights) {
  /** So that a result is a buffer. */
  private static final int WIDEST = 1 << 27;

  /** No number of gradients.cu: it has kernels of its own. */
  private static final int MULTINOMIAL = -1;

  /** As gradients.cu numbers the losses of one margin. */
  private static final Map<String, Integer> LOSSES =
      Map.of("logistic", 0, "least-squares", 1, "hinge", 2, "multinomial", MULTINOMIAL);

  /** The number of the gradient's loss; none where the device has no kernel of it. */
  static OptionalInt lossOf(Gradient gradient) {
    Integer loss = LOSSES.get(Kernels.kindOf(gradient));
    return loss == null ? OptionalInt.empty() : OptionalInt.of(loss);
  }

  boolean isMultinomial() {
    return loss == MULTINOMIAL;
  }

  /** Whether the device has a kernel of such rows, and a buffer for the result. */
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

  /** The first row alone. */
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
