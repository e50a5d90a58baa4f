package io.sparkata.lab.gpu;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.lab.Rounds;
import java.util.Locale;
import java.util.Map;

/**
 * The result of a job: whether Spark ATA's weights equal MLlib's, and which devices computed them.
 *
 * @param ours Spark ATA's weights
 * @param mllibs MLlib's weights
 */
@SuppressWarnings("ArrayRecordComponent") // results are never compared
record JobResult(double[] ours, double[] mllibs, Rounds rounds, ExecutorLogs logs) {
  private static final double ALLOWED_DIFFERENCE = 1e-9;

  /** Adds the result to the report, and returns what is wrong in one line; empty if all is well. */
  String into(ObjectNode report) {
    report.put("largestDifference", largestDifference());
    report.put("allowedDifference", ALLOWED_DIFFERENCE);
    ArrayNode executors = report.putArray("executors");
    for (ExecutorLogs.Statement executor : logs.executors()) {
      executors
          .addObject()
          .put("id", executor.id())
          .put("host", executor.host())
          .put("gpu", executor.hasGpu())
          .put("computesWith", executor.computesWith());
    }
    report.put("roundsOnGpu", roundsOnGpu());
    ArrayNode samples = report.putArray("samplesByRound");
    for (Map<String, Long> round : rounds.samples()) {
      ObjectNode byExecutor = samples.addObject();
      round.forEach(byExecutor::put);
    }
    ArrayNode warnings = report.putArray("warnings");
    logs.warnings().forEach(warnings::add);
    String failure = failure();
    if (!failure.isEmpty()) {
      report.put("failure", failure);
    }
    return failure;
  }

  private String failure() {
    if (!(largestDifference() <= ALLOWED_DIFFERENCE)) {
      return String.format(
          Locale.ROOT,
          "Spark ATA's weights differ from MLlib's by up to %.3g (allowed %.0e).",
          largestDifference(),
          ALLOWED_DIFFERENCE);
    }
    if (!logs.warnings().isEmpty()) {
      return "An executor has warned: " + logs.warnings().get(0);
    }
    return roundsOnGpu() == 0 ? logs.noRoundOnGpu() : "";
  }

  /** The largest difference of a weight; infinite if one is not a number. */
  private double largestDifference() {
    double largest = 0;
    for (int i = 0; i < ours.length; i++) {
      double difference = Math.abs(ours[i] - mllibs[i]);
      largest = Double.isNaN(difference) ? Double.POSITIVE_INFINITY : Math.max(largest, difference);
    }
    return largest;
  }

  /** Number of rounds in which an executor with a GPU has computed samples. */
  private long roundsOnGpu() {
    return rounds.samples().stream()
        .filter(
            round ->
                logs.executors().stream()
                    .filter(ExecutorLogs.Statement::hasGpu)
                    .anyMatch(executor -> round.getOrDefault(executor.id(), 0L) > 0))
        .count();
  }
}
