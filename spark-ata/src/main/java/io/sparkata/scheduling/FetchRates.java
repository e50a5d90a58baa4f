package io.sparkata.scheduling;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How fast each executor fetches blocks, from what it fetched so far. */
final class FetchRates {
  /** Until an executor has fetched: about what half a core deserialises. */
  private static final double DEFAULT_BYTES_PER_SECOND = 100e6;

  private final Map<String, double[]> fetched = new HashMap<>();

  void learn(List<TaskReport> reports) {
    for (TaskReport report : reports) {
      if (report.fetchNanos > 0) {
        double[] total = fetched.computeIfAbsent(report.executorId, unused -> new double[2]);
        total[0] += report.fetchedBytes;
        total[1] += report.fetchNanos / 1e9;
      }
    }
  }

  /** By executor. */
  double[] bytesPerSecond(List<String> executorIds) {
    return executorIds.stream().mapToDouble(this::bytesPerSecond).toArray();
  }

  private double bytesPerSecond(String executorId) {
    double[] total = fetched.get(executorId);
    return total == null ? DEFAULT_BYTES_PER_SECOND : total[0] / total[1];
  }
}
