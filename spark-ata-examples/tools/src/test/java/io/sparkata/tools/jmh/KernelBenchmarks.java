package io.sparkata.tools.jmh;

import io.sparkata.cuda.CudaBackend;
import io.sparkata.kernel.GpuDevice;
import io.sparkata.kernel.GpuSettings;
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
 * {@link KernelBenchmark} over kernels, widths and samples, each side in a JVM of its own, or two
 * in turn in one: {@code scripts/ata bench-kernels}.
 */
public final class KernelBenchmarks {
  /** Of all rows, in one JVM; of a sample three times as many. */
  private static final int TURNS = 11;

  /** Turns over all rows before, or over as many rows of samples. */
  private static final double WARM_UP = 20;

  private KernelBenchmarks() {}

  /** Arguments: "quick", "full", "gpu", "in-turn" or "blocks", "json" or "text". */
  public static void main(String[] arguments) throws RunnerException {
    String extent = arguments[0];
    List<KernelCase> cases =
        switch (extent) {
          case "quick" -> KernelGrid.quick();
          case "gpu" -> KernelGrid.gpu();
          case "in-turn" -> KernelGrid.inTurn();
          case "blocks" -> List.of();
          default -> KernelGrid.full();
        };
    boolean isJson = arguments[1].equals("json");
    if (extent.equals("gpu") && !hasGpu()) {
      System.exit(1);
    }
    List<KernelFigures> all = new ArrayList<>();
    for (KernelCase next : cases) {
      KernelFigures figures =
          extent.equals("in-turn") ? inTurn(next) : measure(next, extent.equals("quick") ? 1 : 3);
      print(figures, all, isJson);
    }
    if (extent.equals("blocks")) {
      for (BlockCase next : KernelGrid.blocks()) {
        print(inTurn(next), all, isJson);
      }
    }
    if (isJson) {
      System.out.println(KernelFigures.json(all));
    }
  }

  private static void print(KernelFigures figures, List<KernelFigures> before, boolean isJson) {
    if (!isJson) {
      System.out.println((before.isEmpty() ? figures.head() + "\n" : "") + figures.text());
    }
    before.add(figures);
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

  /** The sides interleaved, each time in a JVM of its own; medians over the turns. */
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
    OptionsBuilder options = options(side, next);
    options
        .warmupIterations(4)
        .warmupTime(TimeValue.milliseconds(500))
        .measurementIterations(7)
        .measurementTime(TimeValue.milliseconds(250));
    return run(options).getPrimaryResult().getStatistics().getPercentile(50);
  }

  /** The kernel and MLlib's gradient interleaved, in one JVM. */
  private static KernelTurns inTurn(KernelCase next) throws RunnerException {
    OptionsBuilder options = options("inTurn", next);
    int count = next.fraction() == 1 ? TURNS : 3 * TURNS;
    options.warmupIterations((int) (WARM_UP / next.fraction())).measurementIterations(count);
    RunResult turns = run(options);
    double rows = next.sampledRows();
    return new KernelTurns(next, median(turns, "ours") / rows, median(turns, "mllib") / rows);
  }

  /** Our sum of blocks and Spark's interleaved, in one JVM. */
  private static BlockTurns inTurn(BlockCase next) throws RunnerException {
    System.err.printf("%s, d = %d, %d non-zeros ...%n", next.loss(), next.width(), next.nonZeros());
    OptionsBuilder options = new OptionsBuilder();
    options
        .include(BlockBenchmark.class.getName() + "\\.inTurn$")
        .param("loss", next.loss())
        .param("width", Integer.toString(next.width()))
        .param("nonZeros", Integer.toString(next.nonZeros()))
        .param("isWeighted", Boolean.toString(next.isWeighted()))
        .forks(1)
        .warmupIterations((int) WARM_UP)
        .measurementIterations(3 * TURNS)
        .jvmArgs("-Xmx1g", "--add-modules=jdk.incubator.vector")
        .shouldFailOnError(true);
    RunResult turns = run(options);
    double rows = (double) next.rows() * BlockCase.BLOCKS;
    return new BlockTurns(next, median(turns, "ours") / rows, median(turns, "spark") / rows);
  }

  /** Of one of the sides of a turn. */
  private static double median(RunResult turns, String side) {
    return turns.getSecondaryResults().get(side).getStatistics().getPercentile(50);
  }

  private static OptionsBuilder options(String side, KernelCase next) {
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
        .shouldFailOnError(true);
    return options;
  }

  /** What the JVM of the benchmark says goes to standard error: results alone are on the other. */
  private static RunResult run(OptionsBuilder options) throws RunnerException {
    return new Runner(
            options.build(),
            OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT))
        .runSingle();
  }
}
