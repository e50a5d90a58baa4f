package io.sparkata.report;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Those of the driver's metrics that appear with what they are of: executors, and reasons to leave
 * a training to Spark. Spark's registry follows this one. Thread-safe.
 */
final class LiveMetrics {
  private final MetricRegistry registry = new MetricRegistry();
  private final RecentRounds rounds = new RecentRounds();
  private final Totals totals;
  private Set<String> executors = Set.of();

  LiveMetrics(Totals totals) {
    this.totals = totals;
  }

  Metric registry() {
    return registry;
  }

  /** Adds a round of any training. */
  synchronized void add(double seconds, List<ExecutorShare> shares) {
    rounds.add(seconds, shares);
    if (shares.size() != executors.size()
        || shares.stream().anyMatch(share -> !executors.contains(share.executor()))) {
      follow(rounds.executors());
    }
  }

  private void follow(Set<String> now) {
    Set<String> gone = new HashSet<>(executors);
    gone.removeAll(now);
    gone.forEach(id -> registry.removeMatching((name, metric) -> name.startsWith(prefix(id))));
    for (String id : now) {
      if (!executors.contains(id)) {
        set(prefix(id) + "samplesPerSecond", () -> rounds.rowsPerSecond(id));
        set(prefix(id) + "share", () -> rounds.share(id));
      }
    }
    if (executors.isEmpty()) {
      set("efficiency", () -> rounds.efficiency().orElse(0));
    }
    executors = now;
  }

  private static String prefix(String executor) {
    return "executors." + executor + ".";
  }

  /** A training, or the rest of one, is left to Spark. */
  synchronized void left(String reason) {
    String name = "leftToSpark." + reason;
    if (!registry.getNames().contains(name)) {
      set(name, () -> totals.left(reason));
    }
  }

  private <T> void set(String name, Supplier<T> value) {
    Gauge<T> gauge = value::get;
    registry.register(name, gauge);
  }
}
