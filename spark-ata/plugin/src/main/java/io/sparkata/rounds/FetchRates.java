package io.sparkata.rounds;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How fast each executor fetches blocks, from its fetches so far. Each round with fetches halves
 * the weight of earlier ones, because the first fetches load classes and were three to seven times
 * as slow as later ones.
 */
final class FetchRates {
  /** The rate of an executor that has not fetched yet: about what half a core deserialises. */
  private static final double DEFAULT_BYTES_PER_SECOND = 100e6;

  private static final double KEPT = 0.5;

  private final Map<String, Total> fetched = new HashMap<>();

  private static final class Total {
    private double bytes;
    private double seconds;
  }

  /** Learns from a round, whose tasks report in any order. */
  void learn(List<TaskReport> reports) {
    Set<String> fetching = new HashSet<>();
    for (TaskReport report : reports) {
      if (report.fetchNanos > 0) {
        Total total = fetched.computeIfAbsent(report.executorId, unused -> new Total());
        double kept = fetching.add(report.executorId) ? KEPT : 1;
        total.bytes = kept * total.bytes + report.fetchedBytes;
        total.seconds = kept * total.seconds + report.fetchNanos / 1e9;
      }
    }
  }

  /** The fetches of one executor. */
  double bytesPerSecond(String executorId) {
    Total total = fetched.get(executorId);
    return total == null ? DEFAULT_BYTES_PER_SECOND : total.bytes / total.seconds;
  }
}
