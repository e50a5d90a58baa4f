package io.sparkata.report;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The executor that an equal share of a round takes longest.
 *
 * @param executors how many were compared
 * @param even what an equal share takes it
 * @param medianSeconds what it takes the median executor
 */
public record SlowestExecutor(int executors, Even even, double medianSeconds) {

  /**
   * Seconds per round that an equal share takes an executor.
   *
   * @param kernel computing its rows
   * @param overhead a task's time besides its kernel and fetching
   */
  public record Even(String executor, String host, double kernel, double overhead) {
    double seconds() {
      return kernel + overhead;
    }
  }

  /** Empty for fewer than two executors. */
  public static Optional<SlowestExecutor> of(List<Even> executors) {
    if (executors.size() < 2) {
      return Optional.empty();
    }
    List<Even> sorted =
        executors.stream().sorted(Comparator.comparingDouble(Even::seconds)).toList();
    int last = sorted.size() - 1;
    return Optional.of(
        new SlowestExecutor(sorted.size(), sorted.get(last), sorted.get(last / 2).seconds()));
  }
}
