package io.sparkata.rounds;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How fast each executor fetches blocks. Each round with fetches halves the weight of earlier ones.
 * An executor's first fetch does not count, because it loads classes: first fetches were three to
 * seven times as slow as later ones.
 */
final class FetchRates {
  private static final double KEPT = 0.5;

  private final Map<String, Total> fetched = new HashMap<>();

  private static final class Total {
    private double bytes;
    private double seconds;
  }

  /** Learns from a round, whose tasks report in any order. */
  void learn(List<TaskReport> reports) {
    for (TaskReport report : reports) {
      if (report.movedNanos + report.fetchNanos > 0) {
        Total total = fetched.computeIfAbsent(report.executorId, unused -> new Total());
        total.bytes =
            KEPT * total.bytes + report.movedBytes - report.coldBytes + report.fetchedBytes;
        total.seconds = KEPT * total.seconds + (report.movedNanos + report.fetchNanos) / 1e9;
      }
    }
  }

  /** The fetches of one executor; NaN while unknown. */
  double bytesPerSecond(String executorId) {
    Total total = fetched.get(executorId);
    return total == null ? Double.NaN : total.bytes / total.seconds;
  }
}
