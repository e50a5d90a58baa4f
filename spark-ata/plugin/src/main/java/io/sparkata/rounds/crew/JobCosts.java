package io.sparkata.rounds.crew;

import io.sparkata.rounds.TaskReport;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What jobs cost rounds besides their tasks' own work. Driver only, one thread. */
final class JobCosts {
  /** Jobs cost too much from this share of a round on. */
  private static final double HIGH = 0.05;

  /** The first round does not count: classes are loaded. */
  private static final int FIRST = 1;

  private static final int KEPT = 5;

  private final boolean areAlwaysHigh;
  private final double[] shares = new double[KEPT];
  private int rounds;

  /**
   * @param areAlwaysHigh without looking
   */
  JobCosts(boolean areAlwaysHigh) {
    this.areAlwaysHigh = areAlwaysHigh;
  }

  /** Receives a round that ran as a job. */
  void ran(long nanos, List<TaskReport> tasks) {
    long longest =
        tasks.stream().mapToLong(task -> task.kernelNanos + task.fetchNanos).max().orElse(0);
    rounds++;
    if (rounds > FIRST && nanos > 0) {
      shares[(rounds - FIRST - 1) % KEPT] = 1 - (double) longest / nanos;
    }
  }

  /** Whether messages would shorten rounds. */
  boolean areHigh() {
    return areAlwaysHigh || (rounds > FIRST && share() > HIGH);
  }

  /** The same, as far as is known yet. */
  boolean mayBeHigh() {
    return rounds <= FIRST || areHigh();
  }

  /** The share of jobs' time that was not their longest task's; a median. */
  private double share() {
    double[] sorted = Arrays.copyOf(shares, Math.min(rounds - FIRST, KEPT));
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** For a log line. */
  String reason() {
    return areAlwaysHigh
        ? ""
        : String.format(
            Locale.ROOT, ": %.0f %% of a job was not spent in its longest task", 100 * share());
  }
}
