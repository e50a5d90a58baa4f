package io.sparkata.lab.gpu;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Whether Spark ATA's weights equal MLlib's, and which devices computed them.
 *
 * @param largestDifference of a weight; infinite if one is not a number
 * @param executors what each computes with, in the order of ids
 * @param roundsOnGpu rounds in which an executor with a GPU has computed samples
 * @param warnings of the executors
 */
record JobResult(
    double largestDifference,
    double allowedDifference,
    List<Executor> executors,
    long roundsOnGpu,
    List<String> warnings) {
  private static final double ALLOWED_DIFFERENCE = 1e-9;
  private static final Pattern STATEMENT =
      Pattern.compile("Spark ATA: executor (\\S+) on (\\S+) computes with (([^;\n]*).*)\n");
  private static final Pattern WARNING = Pattern.compile("(.* (?:WARN|ERROR) .*Spark ATA: .*)\n");

  /** What an executor has logged at its start. */
  record Executor(String id, String host, boolean gpu, String computesWith) {}

  /** The executors' logs say what computes; an executor may be writing the last line. */
  static List<Executor> executors(String logs) {
    return STATEMENT
        .matcher(logs)
        .results()
        .map(
            found ->
                new Executor(
                    found.group(1),
                    found.group(2),
                    found.group(4).contains(" at GPU address "),
                    found.group(3)))
        .sorted(Comparator.comparing(Executor::id))
        .toList();
  }

  /**
   * Compares Spark ATA's weights with MLlib's.
   *
   * @param samples of each round, by executor id
   */
  static JobResult of(
      double[] ours, double[] mllibs, List<Map<String, Long>> samples, String logs) {
    double largest = 0;
    for (int i = 0; i < ours.length; i++) {
      double difference = Math.abs(ours[i] - mllibs[i]);
      largest = Double.isNaN(difference) ? Double.POSITIVE_INFINITY : Math.max(largest, difference);
    }
    List<Executor> executors = executors(logs);
    Set<String> onGpu =
        executors.stream().filter(Executor::gpu).map(Executor::id).collect(Collectors.toSet());
    long rounds =
        samples.stream()
            .filter(round -> onGpu.stream().anyMatch(id -> round.getOrDefault(id, 0L) > 0))
            .count();
    List<String> warnings = WARNING.matcher(logs).results().map(found -> found.group(1)).toList();
    return new JobResult(largest, ALLOWED_DIFFERENCE, executors, rounds, warnings);
  }

  /** What is wrong, in one line; empty if all is well. */
  String failure() {
    if (largestDifference > allowedDifference) {
      return String.format(
          Locale.ROOT,
          "Spark ATA's weights differ from MLlib's by up to %.3g (allowed %.0e).",
          largestDifference,
          allowedDifference);
    }
    if (!warnings.isEmpty()) {
      return "An executor has warned: " + warnings.get(0);
    }
    return roundsOnGpu > 0 ? "" : noRoundOnGpu(executors);
  }

  /** Says so, with what the executors compute with whose GPU is no stand-in. */
  static String noRoundOnGpu(List<Executor> executors) {
    return executors.stream()
        .filter(executor -> !executor.computesWith().contains(": a stand-in address"))
        .map(executor -> executor.host() + " computes with " + executor.computesWith())
        .collect(Collectors.joining(", ", "No round ran on the GPU: ", ""));
  }
}
