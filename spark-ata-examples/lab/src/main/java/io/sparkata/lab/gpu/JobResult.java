package io.sparkata.lab.gpu;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Whether Spark ATA's weights equal MLlib's, and which devices computed them.
 *
 * @param largestDifference of a weight; infinite if one is not a number
 * @param roundsOnGpu rounds in which an executor with a GPU has computed samples
 * @param samplesByRound by executor id
 * @param warnings of the executors
 * @param failure what is wrong, in one line; empty if all is well
 */
record JobResult(
    double largestDifference,
    double allowedDifference,
    List<ExecutorLogs.Statement> executors,
    long roundsOnGpu,
    List<Map<String, Long>> samplesByRound,
    List<String> warnings,
    String failure) {
  private static final double ALLOWED_DIFFERENCE = 1e-9;

  /** Compares Spark ATA's weights with MLlib's. */
  static JobResult of(
      double[] ours, double[] mllibs, List<Map<String, Long>> samplesByRound, ExecutorLogs logs) {
    double largest = 0;
    for (int i = 0; i < ours.length; i++) {
      double difference = Math.abs(ours[i] - mllibs[i]);
      largest = Double.isNaN(difference) ? Double.POSITIVE_INFINITY : Math.max(largest, difference);
    }
    List<String> onGpu =
        logs.executors().stream()
            .filter(ExecutorLogs.Statement::gpu)
            .map(ExecutorLogs.Statement::id)
            .toList();
    long rounds =
        samplesByRound.stream()
            .filter(round -> onGpu.stream().anyMatch(id -> round.getOrDefault(id, 0L) > 0))
            .count();
    String failure = "";
    if (largest > ALLOWED_DIFFERENCE) {
      failure =
          String.format(
              Locale.ROOT,
              "Spark ATA's weights differ from MLlib's by up to %.3g (allowed %.0e).",
              largest,
              ALLOWED_DIFFERENCE);
    } else if (!logs.warnings().isEmpty()) {
      failure = "An executor has warned: " + logs.warnings().get(0);
    } else if (rounds == 0) {
      failure = logs.noRoundOnGpu();
    }
    return new JobResult(
        largest,
        ALLOWED_DIFFERENCE,
        logs.executors(),
        rounds,
        samplesByRound,
        logs.warnings(),
        failure);
  }
}
