package io.sparkata.kernel;

import io.sparkata.cuda.CudaBackend;
import io.sparkata.cuda.DeviceCopy;
import io.sparkata.data.CodedBlocks;
import io.sparkata.data.DenseBlock;
import io.sparkata.data.PackedBlock;
import io.sparkata.data.SparseBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
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
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Kernels on one core against MLlib's gradient on the same rows and against a plain read of the
 * same bytes, or those of the first GPU against a copy within its memory: {@code
 * scripts/bench-kernels}. Rows and weights are uniform in (-1, 1), seeded; values of coded rows are
 * eighths.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KernelBenchmark {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_MAX;
  private static final int CLASSES = 10;
  private static final int SAMPLES = 10;

  /** Different values of coded rows. */
  private static final int CODED = 8;

  /** Of the rows that are read, values and indices. */
  @Param("268435456")
  long bytes;

  @Param("logistic")
  String kernel;

  @Param("100")
  int width;

  /** Non-zeros of a row; 0 for dense rows. */
  @Param("0")
  int nonZeros;

  /** Different values, coded, of sparse rows; 0 for values that all differ. */
  @Param("0")
  int different;

  @Param("1.0")
  double fraction;

  /** What computes: cpu or gpu. */
  @Param("cpu")
  String device;

  private PackedBlock block;

  /** As many bytes as the block's values, and a row's part of them. */
  private double[] values;

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

  /** Makes the rows. */
  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    int storedPerRow = nonZeros == 0 ? width : nonZeros;
    int bytesPerRow = nonZeros == 0 ? 8 * width : (different == 0 ? 12 : 5) * nonZeros;
    int all = (int) Math.max(1, bytes / bytesPerRow);
    values = random.doubles((long) all * storedPerRow, -1, 1).toArray();
    valuesPerRow = storedPerRow;
    gradient =
        switch (kernel) {
          case "logistic" -> new LogisticGradient();
          case "multinomial" -> new LogisticGradient(CLASSES);
          case "least-squares" -> new LeastSquaresGradient();
          case "hinge" -> new HingeGradient();
          default -> throw new IllegalArgumentException("Invalid kernel: " + kernel);
        };
    int classes = kernel.equals("multinomial") ? CLASSES : 2;
    double[] labels = random.ints(all, 0, classes).asDoubleStream().toArray();
    block =
        nonZeros == 0
            ? new DenseBlock(1, labels, width, values)
            : new SparseBlock(1, labels, width, starts(all), indices(all, random), values);
    if (different > 0) {
      Arrays.setAll(values, k -> Math.floor(values[k] * different / 2) / different);
      block = CodedBlocks.coded((SparseBlock) block);
      values = Arrays.copyOf(values, values.length / Double.BYTES);
      valuesPerRow = (double) nonZeros / Double.BYTES;
    }
    samples = new int[fraction == 1 ? 1 : SAMPLES][];
    Arrays.setAll(samples, i -> sample(all, random));
    if (device.equals("gpu")) {
      gpu = new CudaBackend().open("0", new GpuSettings(/* isSingle= */ false, 0.5));
      ours = gpu.kernel(gradient).orElseThrow();
      copy = new DeviceCopy((long) (fraction * bytes));
    } else {
      ours = Kernels.of(gradient);
    }
    weights = random.doubles((long) width * (classes - 1), -1, 1).toArray();
    Arrays.setAll(weights, i -> weights[i] / Math.sqrt(storedPerRow));
    sum = new double[weights.length];
  }

  /** Gives the GPU back. */
  @TearDown
  public void close() {
    if (gpu != null) {
      copy.close();
      gpu.close();
    }
  }

  private int[] sample(int all, SplittableRandom random) {
    IntStream rows = IntStream.range(0, all);
    return (fraction == 1 ? rows : rows.filter(row -> random.nextDouble() < fraction)).toArray();
  }

  /** Another sample each time: one alone might stay in cache. */
  private int[] nextRows() {
    turn = (turn + 1) % samples.length;
    return samples[turn];
  }

  private int[] starts(int all) {
    return IntStream.rangeClosed(0, all).map(row -> row * nonZeros).toArray();
  }

  /** Ascending within a row, one in each of as many equal stretches. */
  private int[] indices(int all, SplittableRandom random) {
    int[] indices = new int[all * nonZeros];
    for (int k = 0; k < indices.length; k++) {
      int from = (int) ((long) (k % nonZeros) * width / nonZeros);
      int to = (int) ((long) (k % nonZeros + 1) * width / nonZeros);
      indices[k] = random.nextInt(from, to);
    }
    return indices;
  }

  @Benchmark
  public double ours() {
    int[] rows = nextRows();
    double loss = ours.add(block, fraction == 1 ? null : rows, 0, rows.length, weights, sum);
    ours.finish(sum);
    return loss;
  }

  /** As MLlib's tasks do, without the iterators between. */
  @Benchmark
  public double mllib(MllibRows mllib) {
    Vector model = Vectors.dense(weights);
    Vector total = Vectors.dense(sum);
    double loss = 0;
    for (int row : nextRows()) {
      loss += gradient.compute(mllib.features[row], block.label(row), model, total);
    }
    return loss;
  }

  /**
   * The sum of the same numbers by four vector accumulators; indices of sparse rows, too. On a GPU
   * a copy of as many bytes.
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
        total += sum(values, (int) (row * valuesPerRow), (int) ((row + 1) * valuesPerRow));
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
      total += numbers[i]; // the compiler makes vectors of it
    }
    return total;
  }

  /** What to measure: one line of the result. */
  private record Case(
      String kernel,
      int width,
      int nonZeros,
      int different,
      double fraction,
      long bytes,
      String device) {
    Case(String kernel, int width, int nonZeros, double fraction, long bytes) {
      this(kernel, width, nonZeros, fraction, bytes, "cpu");
    }

    Case(String kernel, int width, int nonZeros, double fraction, long bytes, String device) {
      this(kernel, width, nonZeros, /* different= */ 0, fraction, bytes, device);
    }

    /** Sparse rows of eight different values. */
    static Case coded(int width, int nonZeros, double fraction, long bytes) {
      return new Case("logistic", width, nonZeros, CODED, fraction, bytes, "cpu");
    }

    /** Bytes that the plain side moves for each that the kernel reads: a copy writes them, too. */
    int moved() {
      return device.equals("gpu") ? 2 : 1;
    }

    String layout() {
      return nonZeros == 0 ? "dense" : different == 0 ? "sparse" : "sparse coded";
    }
  }

  /** One case's medians. */
  private record Result(Case measured, double gigabytesPerSecond, double plain, double mllib) {
    private static final String HEAD =
        "| kernel | layout | d | non-zeros | fraction | rows | GB/s | of a plain read's | GB/s plain |"
            + " x MLlib |\n|---|---|---|---|---|---|---|---|---|---|";

    private String text() {
      return String.format(
          Locale.ROOT,
          "| %s | %s | %d | %s | %s | %s | %.1f | %.2f | %.1f | %.1f |",
          measured.kernel,
          measured.layout(),
          measured.width,
          measured.nonZeros == 0 ? "" : Integer.toString(measured.nonZeros),
          measured.fraction,
          measured.device.equals("gpu")
              ? "on the GPU"
              : measured.bytes <= IN_CACHE ? "in cache" : "in memory",
          gigabytesPerSecond,
          gigabytesPerSecond / plain,
          plain,
          gigabytesPerSecond / mllib);
    }

    private String json() {
      return String.format(
          Locale.ROOT,
          "{\"kernel\":\"%s\",\"layout\":\"%s\",\"d\":%d,\"nonZeros\":%d,\"fraction\":%s,"
              + "\"bytes\":%d,\"device\":\"%s\",\"gigabytesPerSecond\":%.3f,"
              + "\"fractionOfPlainRead\":%.3f,\"plainReadGigabytesPerSecond\":%.3f,"
              + "\"timesMllib\":%.3f}",
          measured.kernel,
          measured.layout(),
          measured.width,
          measured.nonZeros == 0 ? measured.width : measured.nonZeros,
          measured.fraction,
          measured.bytes,
          measured.device,
          gigabytesPerSecond,
          gigabytesPerSecond / plain,
          plain,
          gigabytesPerSecond / mllib);
    }
  }

  private static final long IN_CACHE = 256 << 10;
  private static final long IN_MEMORY = 256 << 20;

  /** Beyond a GPU's second-level cache many times over. */
  private static final long IN_DEVICE_MEMORY = 1 << 30;

  /** Arguments: "quick", "full" or "gpu", "json" or "text". */
  public static void main(String[] arguments) throws RunnerException {
    List<Case> cases =
        switch (arguments[0]) {
          case "quick" -> quickCases();
          case "gpu" -> gpuCases();
          default -> allCases();
        };
    boolean json = arguments[1].equals("json");
    if (arguments[0].equals("gpu") && !hasGpu()) {
      System.exit(1);
    }
    List<Result> results = new ArrayList<>();
    if (!json) {
      System.out.println(Result.HEAD);
    }
    for (Case next : cases) {
      Result result = measure(next, arguments[0].equals("quick") ? 1 : 3);
      results.add(result);
      if (!json) {
        System.out.println(result.text());
      }
    }
    if (json) {
      System.out.println(
          "[" + String.join(",\n ", results.stream().map(Result::json).toList()) + "]");
    }
  }

  /** Says which, or why none, on standard error. */
  private static boolean hasGpu() {
    try {
      GpuDevice found = new CudaBackend().open("0", new GpuSettings(/* isSingle= */ false, 0.5));
      System.err.println("On " + found.name() + " ...");
      found.close();
      return true;
    } catch (RuntimeException refusal) {
      System.err.println("Cannot time a GPU: " + refusal.getMessage());
      return false;
    }
  }

  private static List<Case> quickCases() {
    return List.of(
        new Case("logistic", 100, 0, 1, IN_MEMORY),
        new Case("logistic", 100, 0, 0.1, IN_MEMORY),
        new Case("logistic", 100, 0, 1, IN_CACHE),
        new Case("logistic", 1000, 0, 1, IN_MEMORY),
        new Case("multinomial", 100, 0, 1, IN_MEMORY),
        new Case("logistic", 10_000, 100, 1, IN_MEMORY),
        new Case("logistic", 10_000, 100, 0.1, IN_MEMORY));
  }

  private static List<Case> gpuCases() {
    return List.of(
        new Case("logistic", 100, 0, 1, IN_DEVICE_MEMORY, "gpu"),
        new Case("logistic", 1000, 0, 1, IN_DEVICE_MEMORY, "gpu"),
        new Case("logistic", 1000, 0, 0.1, IN_DEVICE_MEMORY, "gpu"),
        new Case("logistic", 10_000, 0, 1, IN_DEVICE_MEMORY, "gpu"),
        new Case("multinomial", 100, 0, 1, IN_DEVICE_MEMORY, "gpu"),
        new Case("logistic", 10_000, 100, 1, IN_DEVICE_MEMORY, "gpu"));
  }

  private static List<Case> allCases() {
    List<Case> cases = new ArrayList<>();
    for (long bytes : new long[] {IN_MEMORY, IN_CACHE}) {
      for (double fraction : new double[] {1, 0.1, 0.01}) {
        for (int width : new int[] {10, 100, 1000, 10_000}) {
          if (fraction * bytes / width > 100) {
            cases.add(new Case("logistic", width, 0, fraction, bytes));
          }
        }
        for (int width : new int[] {100, 1000, 10_000, 100_000, 1_000_000}) {
          if (fraction * bytes / 100 > 100) {
            cases.add(new Case("logistic", width, 100, fraction, bytes)); // 100 % to 0.01 %
            cases.add(Case.coded(width, 100, fraction, bytes));
          }
        }
      }
    }
    for (String kernel : List.of("least-squares", "hinge", "multinomial")) {
      cases.add(new Case(kernel, 100, 0, 1, IN_MEMORY));
      cases.add(new Case(kernel, 1000, 0, 1, IN_MEMORY));
      cases.add(new Case(kernel, 10_000, 100, 1, IN_MEMORY));
    }
    return cases;
  }

  /** The sides in turn, each time in a JVM of its own; medians over the turns. */
  private static Result measure(Case next, int turns) throws RunnerException {
    double[] ours = new double[turns];
    double[] plain = new double[turns];
    double[] mllib = new double[turns];
    for (int turn = 0; turn < turns; turn++) {
      ours[turn] = nanos("ours", next);
      plain[turn] = nanos("plainRead", next);
      mllib[turn] = nanos("mllib", next);
    }
    double read = next.fraction * next.bytes;
    return new Result(
        next, read / median(ours), next.moved() * read / median(plain), read / median(mllib));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double nanos(String side, Case next) throws RunnerException {
    System.err.printf(
        "%s: %s, %s, d = %d, fraction %s, %d KiB ...%n",
        side, next.kernel, next.layout(), next.width, next.fraction, next.bytes >> 10);
    OptionsBuilder options = new OptionsBuilder();
    options
        .include(KernelBenchmark.class.getName() + "\\." + side + "$")
        .param("kernel", next.kernel)
        .param("width", Integer.toString(next.width))
        .param("nonZeros", Integer.toString(next.nonZeros))
        .param("different", Integer.toString(next.different))
        .param("fraction", Double.toString(next.fraction))
        .param("bytes", Long.toString(next.bytes))
        .param("device", next.device)
        .forks(1)
        .jvmArgs(
            next.bytes > IN_MEMORY ? "-Xmx12g" : "-Xmx3g", "--add-modules=jdk.incubator.vector")
        .warmupIterations(4)
        .warmupTime(TimeValue.milliseconds(500))
        .measurementIterations(7)
        .measurementTime(TimeValue.milliseconds(250))
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true);
    RunResult result = new Runner(options.build()).runSingle();
    return result.getPrimaryResult().getStatistics().getPercentile(50);
  }
}
