package io.sparkata.report;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The executor that an equal share of a round takes longest, and why.
 *
 * @param executors how many were compared
 * @param even what an equal share takes it
 * @param medianSeconds what it takes the median executor
 * @param cause the part of its time that exceeds the median executor's most
 */
public record SlowestExecutor(int executors, Even even, double medianSeconds, Cause cause) {

  /**
   * Seconds per round that an equal share takes an executor.
   *
   * @param kernel computing its rows
   * @param overhead a task's time besides its kernel and fetching
   * @param fetching blocks from other executors
   */
  public record Even(
      String executor, String host, double kernel, double overhead, double fetching) {
    double seconds() {
      return kernel + overhead + fetching;
    }
  }

  /** What makes an executor slow. */
  enum Cause {
    KERNEL("its kernel"),
    OVERHEAD("its per-round overhead"),
    FETCHING("fetching blocks");

    private final String text;

    Cause(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }

    private double secondsOf(Even executor) {
      return switch (this) {
        case KERNEL -> executor.kernel;
        case OVERHEAD -> executor.overhead;
        case FETCHING -> executor.fetching;
      };
    }
  }

  /** Empty for fewer than two executors. */
  public static Optional<SlowestExecutor> of(List<Even> executors) {
    if (executors.size() < 2) {
      return Optional.empty();
    }
    Even slowest = executors.get(0);
    for (Even executor : executors) {
      if (executor.seconds() > slowest.seconds()) {
        slowest = executor;
      }
    }
    Cause cause = Cause.KERNEL;
    double most = Double.NEGATIVE_INFINITY;
    for (Cause each : Cause.values()) {
      double excess = each.secondsOf(slowest) - median(executors, each::secondsOf);
      if (excess > most) {
        most = excess;
        cause = each;
      }
    }
    double median = median(executors, Even::seconds);
    return Optional.of(new SlowestExecutor(executors.size(), slowest, median, cause));
  }

  private static double median(List<Even> executors, ToDoubleFunction<Even> part) {
    double[] sorted = executors.stream().mapToDouble(part).toArray();
    Arrays.sort(sorted);
    return sorted[(sorted.length - 1) / 2];
  }
}
