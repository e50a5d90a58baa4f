package io.sparkata.lab.gpu;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.lab.RunFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code run kernels} of a pack of {@code scripts/check-gpu}. */
@Command(
    name = "kernels",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compares the GPU's kernels with the CPU's, and times them. Prints one JSON object."
    })
final class KernelsCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Widths on both sides of each point where another kernel is chosen, and two common ones. */
  private static final int[] WIDTHS = {
    1, 31, 32, 33, 65, 100, 129, 257, 513, 1000, 1024, 1025, 2049, 4097, 8192, 8193, 20_000
  };

  private static final int[] QUICK_WIDTHS = {1, 33, 1025};
  private static final long[] BLOCK_BYTES = {4L << 20, 64L << 20, 1L << 30};
  private static final long[] QUICK_BLOCK_BYTES = {16L << 10, 32L << 10};

  /** Several times the size of a large GPU's cache. */
  private static final long LEAST_BYTES = 256L << 20;

  /** Blocks and two copies of them must leave a quarter of the device or heap free. */
  private static final int PARTS = 4;

  @Option(
      names = "--quick",
      description = "Few shapes and tiny blocks. Their times say nothing about the GPU.")
  private boolean quick;

  /** Exits with 1 after one line on standard error if a check fails or no GPU can be used. */
  @Override
  public Integer call() {
    DeviceFacts facts;
    try (CheckedDevice opened = new CheckedDevice(/* isSingle= */ false)) {
      facts = opened.facts();
    }
    System.err.println("On " + facts.name() + " ...");
    ObjectNode report = JSON.createObjectNode();
    report.put("build", System.getProperty("ata.build", "unknown")).put("quick", quick);
    report.set("device", JSON.valueToTree(facts));
    List<KernelChecks.Result> checks = new ArrayList<>();
    List<KernelTimings.Result> timings = new ArrayList<>();
    try {
      for (boolean isSingle : new boolean[] {false, true}) {
        new KernelChecks(isSingle, quick ? QUICK_WIDTHS : WIDTHS, quick ? 12 : 30_000)
            .run(checks::add);
      }
      timings(facts.freeBytes()).run(timings::add);
      List<KernelChecks.Result> failed = checks.stream().filter(one -> !one.passed()).toList();
      if (!failed.isEmpty()) {
        throw new RunFailure(
            failed.size() + " kernels differ from the CPU's, the first: " + failed.get(0));
      }
    } catch (RuntimeException error) {
      report.put("failure", error.getMessage());
      throw error instanceof RunFailure
          ? error
          : new RunFailure("The GPU has failed: " + error.getMessage());
    } finally {
      System.out.println(report.putPOJO("checks", checks).putPOJO("timings", timings));
    }
    return 0;
  }

  private KernelTimings timings(long freeBytes) {
    long most = Math.min(freeBytes, Runtime.getRuntime().maxMemory()) / PARTS;
    long[] sizes =
        LongStream.of(quick ? QUICK_BLOCK_BYTES : BLOCK_BYTES)
            .map(size -> Math.min(size, most))
            .distinct()
            .toArray();
    return new KernelTimings(
        sizes, Math.min(most, quick ? 32L << 10 : LEAST_BYTES), quick ? 0 : 2_000_000_000L);
  }
}
