package io.sparkata.lab.gpu;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.lab.RunFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * The Java program in a pack of {@code scripts/check-gpu}. The pack's {@code run} starts it, has
 * checked its arguments, and describes them.
 */
public final class CheckGpu {
  private static final ObjectMapper JSON = new ObjectMapper();

  private CheckGpu() {}

  /** Exits with 0 if all checks pass, else with 1 after a line that says what failed. */
  public static void main(String[] arguments) {
    boolean isQuick = List.of(arguments).contains("--quick");
    int status = 1;
    try {
      if (arguments[0].equals("kernels")) {
        checkKernels(isQuick);
      } else {
        new GpuJob(isQuick).run(report(isQuick));
      }
      status = 0;
    } catch (RunFailure failure) {
      System.err.println(failure.getMessage());
    } catch (Exception error) { // Scala methods of Spark declare no checked exceptions
      error.printStackTrace();
      System.err.println("Cannot finish " + arguments[0] + ": see above.");
    }
    System.exit(status);
  }

  private static ObjectNode report(boolean isQuick) {
    return JSON.createObjectNode()
        .put("build", System.getProperty("ata.build", "unknown"))
        .put("quick", isQuick);
  }

  private static void checkKernels(boolean isQuick) {
    DeviceFacts facts;
    try (CheckedDevice opened = new CheckedDevice(/* isSingle= */ false)) {
      facts = opened.facts();
    }
    System.err.println("On " + facts.name() + " ...");
    List<KernelChecks.Result> checks = new ArrayList<>();
    List<KernelTimings.Result> timings = new ArrayList<>();
    String failure = "";
    try {
      for (boolean isSingle : new boolean[] {false, true}) {
        new KernelChecks(isSingle, isQuick).run(checks::add);
      }
      new KernelTimings(isQuick, facts.freeBytes()).run(timings::add);
      List<KernelChecks.Result> failed = checks.stream().filter(one -> !one.passed()).toList();
      if (!failed.isEmpty()) {
        failure = failed.size() + " kernels differ from the CPU's, the first: " + failed.get(0);
      }
    } catch (RuntimeException error) {
      failure = error instanceof RunFailure ? error.getMessage() : "The GPU has failed: " + error;
    }
    ObjectNode report = report(isQuick).putPOJO("device", facts).put("failure", failure);
    System.out.println(report.putPOJO("checks", checks).putPOJO("timings", timings));
    if (!failure.isEmpty()) {
      throw new RunFailure(failure);
    }
  }
}
