package io.sparkata.lab.jmh;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import io.sparkata.lab.gpu.RandomBlocks;
import io.sparkata.objective.AggregatorFixture;
import io.sparkata.objective.BlockFastPath;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.linalg.BLAS$;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.SparseMatrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.apache.spark.ml.optim.aggregator.HingeBlockAggregator;
import org.apache.spark.ml.optim.aggregator.LeastSquaresBlockAggregator;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Compares with the {@code add} of Spark's own aggregators, on one core, over blocks of 1 MiB: for
 * logistic losses {@link BlockFastPath}; for the others the kernels of gradient descent on packed
 * copies of the blocks, which shows what a fast path could gain. Times are CPU time per row. Rows
 * and coefficients are uniform in (-1, 1) from a seed. Logistic losses have an intercept and
 * centred rows.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 20)
@Measurement(iterations = 33)
public class BlockBenchmark {
  /** Of a block, Spark's default. */
  private static final int BLOCK_BYTES = 1 << 20;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Logistic, least-squares or hinge. */
  @Param("logistic")
  String loss;

  @Param("100")
  int width;

  /** Non-zeros of a row; 0 for dense rows. */
  @Param("0")
  int nonZeros;

  @Param("false")
  boolean isWeighted;

  /** Many more than fit into cache. */
  @Param("128")
  int blocks;

  private InstanceBlock[] all;
  private double[] means;
  private double[] deviations;
  private double[] coefficients;
  private boolean isOursFirst;

  /** Not for logistic losses, as {@link #packed}. */
  private GradientKernel kernel;

  private PackedBlock[] packed;

  /** Nanoseconds per row of each side in a turn. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Nanos {
    public double ours;
    public double spark;
  }

  /** Makes the blocks. */
  @Setup
  public void fill() {
    RandomBlocks random = new RandomBlocks(1);
    // A number takes 8 bytes, an index 4.
    int rows = BLOCK_BYTES / (nonZeros == 0 ? 8 * width : 12 * nonZeros);
    all = new InstanceBlock[blocks];
    Arrays.setAll(all, i -> block(random, rows));
    means = random.numbers(width);
    deviations = new double[width];
    Arrays.fill(deviations, 1);
    coefficients = random.numbers(isLogistic() ? width + 1 : width);
    double scale = Math.sqrt(nonZeros == 0 ? width : nonZeros);
    Arrays.setAll(coefficients, i -> coefficients[i] / scale);
    if (!isLogistic()) {
      kernel = Kernels.of(isHinge() ? new HingeGradient() : new LeastSquaresGradient());
      packed = Arrays.stream(all).map(BlockBenchmark::pack).toArray(PackedBlock[]::new);
    }
    System.err.println("BLAS: " + BLAS$.MODULE$.nativeBLAS().getClass().getSimpleName());
  }

  private boolean isLogistic() {
    return loss.equals("logistic");
  }

  private boolean isHinge() {
    return loss.equals("hinge");
  }

  private static PackedBlock pack(InstanceBlock block) {
    if (block.matrix() instanceof SparseMatrix sparse) {
      return new SparseBlock(
          1,
          block.labels(),
          sparse.numCols(),
          sparse.colPtrs(),
          sparse.rowIndices(),
          sparse.values());
    }
    DenseMatrix dense = (DenseMatrix) block.matrix();
    return new DenseBlock(1, block.labels(), dense.numCols(), dense.values());
  }

  private InstanceBlock block(RandomBlocks random, int rows) {
    Matrix matrix;
    if (nonZeros == 0) {
      matrix = new DenseMatrix(rows, width, random.numbers((long) rows * width), true);
    } else {
      SparseBlock sparse = random.sparse(rows, width, nonZeros, /* classes= */ 2);
      matrix =
          new SparseMatrix(
              rows, width, sparse.rowStarts(), sparse.indices(), sparse.values(), true);
    }
    double[] labels = random.numbers(rows);
    if (!loss.equals("least-squares")) {
      Arrays.setAll(labels, row -> labels[row] > 0 ? 1 : 0);
    }
    double[] weights = random.numbers(isWeighted ? rows : 0);
    Arrays.setAll(weights, row -> 1 + weights[row]);
    return new InstanceBlock(labels, weights, matrix);
  }

  /** As for one task. */
  private DifferentiableLossAggregator<InstanceBlock, ?> aggregator() {
    Broadcast<double[]> scaledMean = AggregatorFixture.local(means);
    Broadcast<double[]> inverseDeviation = AggregatorFixture.local(deviations);
    Broadcast<Vector> model = AggregatorFixture.local(Vectors.dense(coefficients));
    return switch (loss) {
      case "logistic" ->
          new BinaryLogisticBlockAggregator(
              inverseDeviation,
              scaledMean,
              /* fitIntercept= */ true,
              /* fitWithMean= */ true,
              model);
      case "least-squares" ->
          new LeastSquaresBlockAggregator(
              inverseDeviation,
              scaledMean,
              /* fitIntercept= */ false,
              /* labelStd= */ 1,
              /* labelMean= */ 0,
              model);
      case "hinge" ->
          new HingeBlockAggregator(inverseDeviation, scaledMean, /* fitIntercept= */ false, model);
      default -> throw new IllegalArgumentException("Invalid loss: " + loss);
    };
  }

  /** The sums of a task. */
  record Sums(double loss, double[] gradient) {}

  Sums spark() {
    DifferentiableLossAggregator<InstanceBlock, ?> sum = aggregator();
    for (InstanceBlock block : all) {
      sum.add(block);
    }
    return new Sums(sum.lossSum(), sum.gradientSumArray());
  }

  Sums ours() {
    if (!isLogistic()) {
      return ofKernel();
    }
    DifferentiableLossAggregator<InstanceBlock, ?> sum = aggregator();
    for (InstanceBlock block : all) {
      if (!BlockFastPath.add(sum, block)) {
        throw new IllegalStateException("Spark's add would be timed twice");
      }
    }
    return new Sums(sum.lossSum(), sum.gradientSumArray());
  }

  private Sums ofKernel() {
    double[] gradient = new double[width];
    double sum = 0;
    for (PackedBlock block : packed) {
      sum += kernel.add(block, /* rows= */ null, 0, block.rows(), coefficients, gradient);
    }
    return new Sums(sum, gradient);
  }

  /** Both on the same blocks, one after the other. */
  @Benchmark
  public double inTurn(Nanos nanos) {
    isOursFirst = !isOursFirst;
    long start = cpuNanos();
    double first = (isOursFirst ? ours() : spark()).loss();
    long between = cpuNanos();
    double both = first + (isOursFirst ? spark() : ours()).loss();
    long end = cpuNanos();
    double rows = Arrays.stream(all).mapToInt(InstanceBlock::size).sum();
    nanos.ours = (isOursFirst ? between - start : end - between) / rows;
    nanos.spark = (isOursFirst ? end - between : between - start) / rows;
    return both;
  }

  /** CPU time of this thread, so that a busy machine delays neither side. */
  private static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }
}
