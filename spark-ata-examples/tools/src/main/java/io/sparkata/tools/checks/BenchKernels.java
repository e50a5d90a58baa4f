package io.sparkata.tools.checks;

import io.sparkata.tools.AtaCommand;
import io.sparkata.tools.JsonOption;
import io.sparkata.tools.Launch;
import io.sparkata.tools.Project;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code scripts/ata bench-kernels}. */
@Command(
    name = "bench-kernels",
    header = "Times of the gradient kernels, a streaming read and MLlib's gradient",
    description = {
      "Measures by JMH, on one core, how fast the kernels go through rows: dense and sparse, in cache"
          + " and in memory, all of them and a sample, row by row too. The same run interleaves"
          + " each with a streaming read of the same bytes (a sum by four vector accumulators) and"
          + " MLlib's gradient, row by row, on the same rows. Sparse rows also with eight different"
          + " values, dictionary-encoded. Prints a Markdown table of medians. Takes about three"
          + " hours for its 144 cases. Compiles the tests of the tools first.",
      "",
      "With --json a list of objects: kernel, layout, d, nonZeros, fraction, bytes, device,"
          + " gigabytesPerSecond, fractionOfPlainRead, plainReadGigabytesPerSecond, timesMllib; with"
          + " --in-turn nanosPerRow and mllibNanosPerRow instead of the speeds. With --blocks"
          + " kernel, layout, d, nonZeros, weighted, nanosPerRow, sparkNanosPerRow, timesSpark."
    })
public final class BenchKernels extends AtaCommand {

  @Option(names = "--quick", description = "Seven cases once; about four minutes.")
  private boolean quick;

  @Option(
      names = "--gpu",
      description =
          "The kernels of this machine's first NVIDIA GPU, whatever CUDA_VISIBLE_DEVICES says, on"
              + " blocks of 1 GiB and one of 4 MiB in its memory, against a copy within that memory"
              + " (what it reads and writes in a second counts) and MLlib on the CPU. Needs 12 GiB"
              + " of memory. Not run on a GPU yet.")
  private boolean gpu;

  @Option(
      names = "--in-turn",
      description =
          "The kernel and MLlib's gradient interleaved in one JVM, so that load slows both alike: 28"
              + " cases of dense rows and sparse ones of 100 non-zeros, logistic. Nanoseconds a row"
              + " of each; four to six minutes.")
  private boolean inTurn;

  @Option(
      names = "--blocks",
      description =
          "Sums over the blocks of spark.ml, against the add of Spark's own aggregators, interleaved"
              + " in one JVM: 24 cases of logistic, squared and hinge losses, dense and sparse."
              + " Nanoseconds of CPU time a row; two to four minutes.")
  private boolean blocks;

  @Option(
      names = "--route",
      description =
          "What the woven check costs a caller of RDD.treeAggregate whose sums are not ours, beside"
              + " the same call without it. Nanoseconds a call; about a minute. With --json a list"
              + " of objects: check, nanosPerCall.")
  private boolean route;

  @Mixin private JsonOption json;

  @Override
  public Integer call() {
    List<String> extents = new ArrayList<>();
    addIf(quick, "quick", extents);
    addIf(gpu, "gpu", extents);
    addIf(inTurn, "in-turn", extents);
    addIf(blocks, "blocks", extents);
    addIf(route, "route", extents);
    if (extents.size() > 1) {
      throw invalid(
          "option", "--" + extents.get(0), "one of --quick, --gpu, --in-turn, --blocks, --route");
    }
    if (route) {
      return Launch.run(
          Launch.java(
              List.of(),
              // The jar first, for it contains what weaves.
              Project.pluginJar()
                  + File.pathSeparator
                  + Launch.testClassPath("spark-ata-examples/tools"),
              "io.sparkata.tools.jmh.RouteBenchmark",
              List.of(json.isOn() ? "json" : "text")));
    }
    String extent = extents.isEmpty() ? "full" : extents.get(0);
    ProcessBuilder benchmarks =
        new ProcessBuilder(
                Launch.java(
                    List.of("--add-modules=jdk.incubator.vector"),
                    Launch.testClassPath("spark-ata-examples/tools"),
                    "io.sparkata.tools.jmh.KernelBenchmarks",
                    List.of(extent, json.isOn() ? "json" : "text")))
            .inheritIO();
    // It would change what an address means, so that no GPU is opened while it is set.
    benchmarks.environment().remove("CUDA_VISIBLE_DEVICES");
    return Launch.run(benchmarks);
  }

  private static void addIf(boolean isChosen, String extent, List<String> extents) {
    if (isChosen) {
      extents.add(extent);
    }
  }
}
