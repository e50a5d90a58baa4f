package io.sparkata.rounds;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How fast each executor fetches blocks, from what it fetched so far. Each round in which it
 * fetches halves the weight of those before: the first fetches load code, and were three to seven
 * times as slow as later ones.
 */
final class FetchRates {
  /** Until an executor has fetched: about what half a core deserialises. */
  private static final double DEFAULT_BYTES_PER_SECOND = 100e6;

  private static final double KEPT = 0.5;

  private final Map<String, Total> fetched = new HashMap<>();

  private static final class Total {
    private double bytes;
    private double seconds;
  }

  /** Takes in a round, whose tasks report in any order. */
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

  /** Of one executor. */
  double bytesPerSecond(String executorId) {
    Total total = fetched.get(executorId);
    return total == null ? DEFAULT_BYTES_PER_SECOND : total.bytes / total.seconds;
  }
}
