package io.sparkata.lab.jmh;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import io.sparkata.cuda.CudaBackend;
import io.sparkata.kernel.GpuDevice;
import io.sparkata.kernel.GpuSettings;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import io.sparkata.lab.gpu.DeviceCopy;
import io.sparkata.lab.gpu.RandomBlocks;
import io.sparkata.testing.UserGradient;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Compares kernels on one core with MLlib's gradient on the same rows and with a streaming read of
 * the same bytes; on the first GPU, with a copy within its memory. Rows and weights are uniform in
 * (-1, 1) from a seed; dictionary-encoded values are eighths.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 7, time = 250, timeUnit = TimeUnit.MILLISECONDS)
public class KernelBenchmark {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_MAX;
  private static final int SAMPLES = 10;

  /** Classes of the multinomial kernel. */
  private static final int CLASSES = 10;

  /** Size of all rows, values and indices. */
  @Param("268435456")
  long bytes;

  /** Logistic, multinomial, least-squares, hinge, or row-by-row: a user's own gradient. */
  @Param("logistic")
  String kernel;

  @Param("100")
  int width;

  /** Non-zeros of a row; 0 for dense rows. */
  @Param("0")
  int nonZeros;

  /** Number of distinct values of dictionary-encoded sparse rows; 0 if not encoded. */
  @Param("0")
  int different;

  @Param("1.0")
  double fraction;

  /** The device: cpu or gpu. */
  @Param("cpu")
  String device;

  private PackedBlock block;

  /** An array of the size of the block's values, and a row's part of it. */
  private double[] values;

  private int firstValue;
  private double valuesPerRow;
  private int[][] samples;
  private int turn;
  private Gradient gradient;
  private GradientKernel ours;
  private double[] weights;
  private double[] sum;
  private GpuDevice gpu;
  private DeviceCopy copy;

  /** The rows as MLlib holds them. */
  @State(Scope.Thread)
  public static class MllibRows {
    private Vector[] features;

    /** Copies the block's rows. */
    @Setup
    public void fill(KernelBenchmark benchmark) {
      PackedBlock block = benchmark.block;
      features = IntStream.range(0, block.rows()).mapToObj(block::features).toArray(Vector[]::new);
    }
  }

  /** Nanoseconds per row of each side in a turn. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Nanos {
    public double ours;
    public double mllib;
  }

  /** Makes the rows. */
  @Setup
  public void fill() {
    RandomBlocks random = new RandomBlocks(1);
    int classes = kernel.equals("multinomial") ? CLASSES : 2;
    int stored = nonZeros == 0 ? width : nonZeros;
    // A number takes 8 bytes, or a code 1; an index 4.
    int bytesPerRow = nonZeros == 0 ? 8 * width : (different == 0 ? 12 : 5) * nonZeros;
    int all = (int) (bytes / bytesPerRow);
    int sampled = (int) (fraction * all);
    valuesPerRow = stored;
    gradient =
        switch (kernel) {
          case "logistic" -> new LogisticGradient();
          case "multinomial" -> new LogisticGradient(classes);
          case "least-squares" -> new LeastSquaresGradient();
          case "hinge" -> new HingeGradient();
          case "row-by-row" -> new UserGradient();
          default -> throw new IllegalArgumentException("Invalid kernel: " + kernel);
        };
    if (nonZeros == 0) {
      DenseBlock dense = random.dense(all, width, classes);
      block = dense;
      values = dense.values();
      firstValue = DenseBlock.START;
    } else if (different == 0) {
      SparseBlock sparse = random.sparse(all, width, nonZeros, classes);
      block = sparse;
      values = sparse.values();
    } else {
      block = random.coded(all, width, nonZeros, classes, different);
      values = random.numbers(all * nonZeros / Double.BYTES);
      valuesPerRow = (double) nonZeros / Double.BYTES;
    }
    samples = new int[fraction == 1 ? 1 : SAMPLES][];
    Arrays.setAll(samples, i -> random.sample(all, sampled));
    if (device.equals("gpu")) {
      gpu =
          new CudaBackend()
              .open(
                  "0", new GpuSettings(/* isSingle= */ false, 0.5), KernelBenchmark::deviceFailed);
      ours = gpu.kernel(gradient).orElseThrow();
      copy = new DeviceCopy((long) sampled * bytesPerRow, /* copies= */ 1);
    } else {
      ours = Kernels.of(gradient);
    }
    weights = random.numbers(width * (classes - 1));
    Arrays.setAll(weights, i -> weights[i] / Math.sqrt(stored));
    sum = new double[weights.length];
  }

  /** Fails if the GPU has failed: the CPU would be timed instead. */
  static void deviceFailed(String cause) {
    throw new IllegalStateException("The GPU has failed: " + cause);
  }

  /** Releases the GPU. */
  @TearDown
  public void close() {
    if (gpu != null) {
      copy.close();
      gpu.close();
    }
  }

  /** A new sample each time, since one alone might stay in cache. */
  private int[] nextRows() {
    turn = (turn + 1) % samples.length;
    return samples[turn];
  }

  @Benchmark
  public double ours() {
    return addByOurs(nextRows());
  }

  private double addByOurs(int[] rows) {
    double loss = ours.add(block, fraction == 1 ? null : rows, 0, rows.length, weights, sum);
    return loss + ours.finish(weights, sum);
  }

  @Benchmark
  public double mllib(MllibRows mllib) {
    return addByMllib(nextRows(), mllib);
  }

  /** What MLlib's tasks do, without their iterators. */
  private double addByMllib(int[] rows, MllibRows mllib) {
    Vector model = Vectors.dense(weights);
    Vector total = Vectors.dense(sum);
    double loss = 0;
    for (int row : rows) {
      loss += gradient.compute(mllib.features[row], block.label(row), model, total);
    }
    return loss;
  }

  /** Both on the same rows, one after the other. */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  @Warmup(iterations = 100)
  @Measurement(iterations = 33)
  public double inTurn(MllibRows mllib, Nanos nanos) {
    int[] rows = nextRows();
    long start = System.nanoTime();
    double loss = addByOurs(rows);
    long between = System.nanoTime();
    double losses = loss + addByMllib(rows, mllib);
    nanos.mllib = (System.nanoTime() - between) / (double) rows.length;
    nanos.ours = (between - start) / (double) rows.length;
    return losses;
  }

  /**
   * The sum of the same numbers, and of the indices of sparse rows, in four vector accumulators. On
   * a GPU, a copy of the same number of bytes.
   */
  @Benchmark
  public double plainRead() {
    if (gpu != null) {
      copy.run();
      return 0;
    }
    double total = 0;
    int[] indices = nonZeros == 0 ? new int[0] : ((SparseBlock) block).indices();
    if (fraction == 1) {
      total += sum(values, 0, values.length) + sum(indices, 0, indices.length);
    } else {
      for (int row : nextRows()) {
        int from = firstValue + (int) (row * valuesPerRow);
        total += sum(values, from, firstValue + (int) ((row + 1) * valuesPerRow));
        total += sum(indices, row * nonZeros, (row + 1) * nonZeros);
      }
    }
    return total;
  }

  private static double sum(double[] numbers, int from, int to) {
    int lanes = SPECIES.length();
    DoubleVector sum0 = DoubleVector.zero(SPECIES);
    DoubleVector sum1 = sum0;
    DoubleVector sum2 = sum0;
    DoubleVector sum3 = sum0;
    int i = from;
    for (; i <= to - 4 * lanes; i += 4 * lanes) {
      sum0 = sum0.add(DoubleVector.fromArray(SPECIES, numbers, i));
      sum1 = sum1.add(DoubleVector.fromArray(SPECIES, numbers, i + lanes));
      sum2 = sum2.add(DoubleVector.fromArray(SPECIES, numbers, i + 2 * lanes));
      sum3 = sum3.add(DoubleVector.fromArray(SPECIES, numbers, i + 3 * lanes));
    }
    double total = sum0.add(sum1).add(sum2.add(sum3)).reduceLanes(VectorOperators.ADD);
    for (; i < to; i++) {
      total += numbers[i];
    }
    return total;
  }

  private static long sum(int[] numbers, int from, int to) {
    int total = 0;
    for (int i = from; i < to; i++) {
      total += numbers[i]; // C2 vectorises it
    }
    return total;
  }
}
