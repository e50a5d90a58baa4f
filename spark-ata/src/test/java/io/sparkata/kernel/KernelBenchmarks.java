package io.sparkata.kernel;

import io.sparkata.cuda.CudaBackend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * {@link KernelBenchmark} over kernels, widths and samples, each side in a JVM of its own: {@code
 * scripts/bench-kernels}.
 */
public final class KernelBenchmarks {
  private KernelBenchmarks() {}

  /** Arguments: "quick", "full" or "gpu", "json" or "text". */
  public static void main(String[] arguments) throws RunnerException {
    List<KernelCase> cases =
        switch (arguments[0]) {
          case "quick" -> KernelGrid.quick();
          case "gpu" -> KernelGrid.gpu();
          default -> KernelGrid.full();
        };
    boolean json = arguments[1].equals("json");
    if (arguments[0].equals("gpu") && !hasGpu()) {
      System.exit(1);
    }
    List<KernelResult> results = new ArrayList<>();
    if (!json) {
      System.out.println(KernelResult.HEAD);
    }
    for (KernelCase next : cases) {
      KernelResult result = measure(next, arguments[0].equals("quick") ? 1 : 3);
      results.add(result);
      if (!json) {
        System.out.println(result.text());
      }
    }
    if (json) {
      System.out.println(KernelResult.json(results));
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

  /** The sides in turn, each time in a JVM of its own; medians over the turns. */
  private static KernelResult measure(KernelCase next, int turns) throws RunnerException {
    double[] ours = new double[turns];
    double[] plain = new double[turns];
    double[] mllib = new double[turns];
    for (int turn = 0; turn < turns; turn++) {
      ours[turn] = nanos("ours", next);
      plain[turn] = nanos("plainRead", next);
      mllib[turn] = nanos("mllib", next);
    }
    return KernelResult.ofNanos(next, median(ours), median(plain), median(mllib));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double nanos(String side, KernelCase next) throws RunnerException {
    System.err.printf(
        "%s: %s, %s, d = %d, fraction %s, %d KiB ...%n",
        side, next.kernel(), next.layout(), next.width(), next.fraction(), next.bytes() >> 10);
    OptionsBuilder options = new OptionsBuilder();
    options
        .include(KernelBenchmark.class.getName() + "\\." + side + "$")
        .param("kernel", next.kernel())
        .param("width", Integer.toString(next.width()))
        .param("nonZeros", Integer.toString(next.nonZeros()))
        .param("different", Integer.toString(next.different()))
        .param("fraction", Double.toString(next.fraction()))
        .param("bytes", Long.toString(next.bytes()))
        .param("device", next.device())
        .forks(1)
        .jvmArgs(
            next.bytes() > KernelCase.IN_MEMORY ? "-Xmx12g" : "-Xmx3g",
            "--add-modules=jdk.incubator.vector")
        .warmupIterations(4)
        .warmupTime(TimeValue.milliseconds(500))
        .measurementIterations(7)
        .measurementTime(TimeValue.milliseconds(250))
        .shouldFailOnError(true);
    return run(options).getPrimaryResult().getStatistics().getPercentile(50);
  }

  /** What the JVM of the benchmark says goes to standard error: results alone are on the other. */
  private static RunResult run(OptionsBuilder options) throws RunnerException {
    return new Runner(
            options.build(),
            OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT))
        .runSingle();
  }
}
