package io.sparkata.kernel;

import io.sparkata.cuda.CudaBackend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * {@link KernelBenchmark} over kernels, widths and samples, each side in a JVM of its own: {@code
 * scripts/bench-kernels}.
 */
public final class KernelBenchmarks {
  private static final long IN_CACHE = 256 << 10;
  private static final long IN_MEMORY = 256 << 20;

  /** Beyond a GPU's second-level cache many times over. */
  private static final long IN_DEVICE_MEMORY = 1 << 30;

  /** Different values of coded rows. */
  private static final int CODED = 8;

  private KernelBenchmarks() {}

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
      GpuDevice found =
          new CudaBackend()
              .open(
                  "0", new GpuSettings(/* isSingle= */ false, 0.5), KernelBenchmark::deviceFailed);
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
