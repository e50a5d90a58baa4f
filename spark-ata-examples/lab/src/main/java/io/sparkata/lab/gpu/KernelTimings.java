package io.sparkata.lab.gpu;

import io.sparkata.blocks.PackedBlock;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.lab.Medians;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;

/**
 * Times a GPU's logistic kernel on blocks in its memory, as a task computes them, and a copy of the
 * same number of bytes within that memory. All blocks together do not fit into the GPU's cache.
 */
final class KernelTimings {
  private static final double[] FRACTIONS = {1, 0.1};
  private static final int SPARSE_WIDTH = 10_000;
  private static final int NON_ZEROS = 100;

  /** Values of a sparse row take 8 bytes, their columns 4. */
  private static final int BYTES_PER_NON_ZERO = 12;

  /** Number of random samples of each block. */
  private static final int SAMPLES = 10;

  private static final Gradient GRADIENT = new LogisticGradient();

  /** Blocks and two copies of them must leave a quarter of the device or heap free. */
  private static final int PARTS = 4;

  private final long[] blockBytes;

  /** The least size of all blocks together: several times the size of a large GPU's cache. */
  private final long leastBytes;

  /** The least time of each case, half of it for the warm-up. */
  private final long nanos;

  private final RandomBlocks random = new RandomBlocks(2);

  /**
   * One case.
   *
   * @param width number of features
   * @param nonZeros non-zeros of a sparse row; 0 for dense rows
   * @param blockBytes size of a block: values, and columns of sparse rows
   * @param blocks number of blocks, computed together
   * @param bytesPerSecond bytes of the sampled rows computed per second
   * @param copyBytesPerSecond bytes copied per second, each read and written
   * @param micros time of all blocks with launches, copies and waits
   */
  record Result(
      String layout,
      int width,
      int nonZeros,
      double fraction,
      long blockBytes,
      int blocks,
      double bytesPerSecond,
      double copyBytesPerSecond,
      double micros) {}

  /** For a device with so many free bytes. */
  KernelTimings(boolean quick, long freeBytes) {
    long most = Math.min(freeBytes, Runtime.getRuntime().maxMemory()) / PARTS;
    long[] sizes =
        quick ? new long[] {16L << 10, 32L << 10} : new long[] {4L << 20, 64L << 20, 1L << 30};
    blockBytes = LongStream.of(sizes).map(size -> Math.min(size, most)).distinct().toArray();
    leastBytes = Math.min(most, quick ? 32L << 10 : 256L << 20);
    nanos = quick ? 0 : 2_000_000_000L;
  }

  /** Times all cases; progress goes to standard error. */
  void run(Consumer<Result> results) {
    for (long bytes : blockBytes) {
      time(bytes, 1000, /* nonZeros= */ 0, results);
      time(bytes, 100, /* nonZeros= */ 0, results);
      time(bytes, SPARSE_WIDTH, NON_ZEROS, results);
    }
  }

  private void time(long bytes, int width, int nonZeros, Consumer<Result> results) {
    boolean isDense = nonZeros == 0;
    System.err.printf(
        "Timing %s rows, %d features, blocks of %d KiB ...%n",
        isDense ? "dense" : "sparse", width, bytes >> 10);
    int rowBytes = isDense ? Double.BYTES * width : BYTES_PER_NON_ZERO * nonZeros;
    int rows = (int) Math.max(1, bytes / rowBytes);
    int count = (int) Math.max(1, leastBytes / bytes);
    List<PackedBlock> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(
          isDense
              ? random.dense(rows, width, /* classes= */ 2)
              : random.sparse(rows, width, nonZeros, /* classes= */ 2));
    }
    try (CheckedDevice device = new CheckedDevice(/* isSingle= */ false)) {
      for (double fraction : FRACTIONS) {
        int sampled = (int) Math.max(1, fraction * rows);
        long all = (long) sampled * rowBytes * count;
        double[] seconds = seconds(device, blocks, sampled, all);
        results.accept(
            new Result(
                isDense ? "dense" : "sparse",
                width,
                nonZeros,
                fraction,
                (long) rows * rowBytes,
                count,
                all / seconds[0],
                2 * all / seconds[1],
                seconds[0] * 1e6));
      }
    }
  }

  /** The median times of the kernel and of the copy over all blocks. */
  private double[] seconds(
      CheckedDevice device, List<PackedBlock> blocks, int sampled, long sampledBytes) {
    int rows = blocks.get(0).rows();
    double[] weights = random.numbers(blocks.get(0).width());
    double[] sum = new double[weights.length];
    GradientKernel kernel = device.kernel(GRADIENT);
    int[][] samples = new int[sampled == rows ? 1 : SAMPLES * blocks.size()][];
    Arrays.setAll(samples, i -> sampled == rows ? null : random.sample(rows, sampled));
    int[] next = {0}; // a new sample each time, since one alone might stay in the cache
    int copies = Math.max(1, rows / sampled);
    try (DeviceCopy copy = new DeviceCopy(sampledBytes, copies)) {
      Runnable kernels =
          () -> {
            for (PackedBlock block : blocks) {
              int[] sample = samples[next[0]++ % samples.length];
              kernel.add(block, sample, /* first= */ 0, sampled, weights, sum);
            }
            kernel.finish(weights, sum);
            device.requireComputed(blocks.size());
          };
      turns(kernels, copy::run); // copies the blocks to the device, and warms up the JVM
      return turns(kernels, copy::run);
    }
  }

  private double[] turns(Runnable kernels, Runnable copies) {
    List<Double> ofKernels = new ArrayList<>();
    List<Double> ofCopies = new ArrayList<>();
    long end = System.nanoTime() + nanos / 2;
    do {
      ofKernels.add(seconds(kernels));
      ofCopies.add(seconds(copies));
    } while (System.nanoTime() < end || ofKernels.size() < 3);
    return new double[] {Medians.of(ofKernels, t -> t), Medians.of(ofCopies, t -> t)};
  }

  private static double seconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e9;
  }
}
