package io.sparkata.cuda;

import io.sparkata.blocks.MixedBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.cuda.GradientRequest.Layout;
import io.sparkata.cuda.GradientRequest.Part;
import io.sparkata.kernel.GradientKernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One task's gradient on a device. Rows are collected until {@link #finish}, or until their blocks
 * have {@link #mostBytes}: one launch for many blocks takes about as long as one launch for one
 * block of a few MB. The CPU computes at once what the device has no kernel for. One thread.
 */
final class TaskGradient implements GradientKernel {
  private static final long MOST_BYTES = 256L << 20;

  /** Of the heap, for the blocks that wait in one task. */
  private static final int HEAP_PARTS = 32;

  /** The largest result that fits into a buffer. */
  private static final int WIDEST = 1 << 27;

  private final CudaDevice device;
  private final int loss;
  private final GradientKernel cpu;
  private final long mostBytes;
  private final Map<Layout, List<Part>> waiting = new LinkedHashMap<>();
  private long waitingBytes;

  /**
   * @param loss as {@link GradientRequest#lossOf} numbers it
   * @param cpu the same gradient's kernel
   * @param mostBytes of the blocks that wait
   */
  TaskGradient(CudaDevice device, int loss, GradientKernel cpu, long mostBytes) {
    this.device = device;
    this.loss = loss;
    this.cpu = cpu;
    this.mostBytes = mostBytes;
  }

  /**
   * Bounds what fetched blocks take on the heap while they wait, which Spark does not count: 256
   * MiB, less on heaps below 8 GiB.
   */
  static long mostBytes() {
    return Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PARTS);
  }

  /**
   * Copies {@code rows}. MLlib's gradient computes the first row of a multinomial loss, because it
   * checks the weights.
   */
  @Override
  public double add(
      PackedBlock block, int[] rows, int first, int count, double[] weights, double[] sum) {
    boolean isByClass = GradientRequest.isMultinomial(loss);
    int onCpu = isByClass ? 1 : 0;
    if (count <= onCpu || !device.isUsable() || !fitsDevice(block, weights)) {
      return cpu.add(block, rows, first, count, weights, sum);
    }
    double known = isByClass ? cpu.add(block, rows, first, 1, weights, sum) : 0;
    int[] others = rows == null ? null : Arrays.copyOfRange(rows, onCpu, count);
    Part part = new Part(block, others, first + onCpu, count - onCpu);
    waiting.computeIfAbsent(part.layout(), unused -> new ArrayList<>()).add(part);
    waitingBytes += block.bytes();
    return waitingBytes < mostBytes ? known : known + finish(weights, sum);
  }

  @Override
  public double finish(double[] weights, double[] sum) {
    double total = 0;
    for (List<Part> parts : waiting.values()) {
      total += device.add(new GradientRequest(loss, parts, weights), cpu, sum);
    }
    waiting.clear();
    waitingBytes = 0;
    return total;
  }

  /** Whether the device has a kernel for these rows, and the result fits into a buffer. */
  private boolean fitsDevice(PackedBlock block, double[] weights) {
    int width = block.width();
    return !(block instanceof MixedBlock)
        && width > 0
        && weights.length >= width
        && (GradientRequest.isMultinomial(loss)
            ? weights.length % width == 0
            : weights.length == width)
        && weights.length <= WIDEST;
  }
}
