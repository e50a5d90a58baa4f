package io.sparkata.rounds;

import io.sparkata.placement.StaleReplicas;
import io.sparkata.report.ReportText;
import java.util.Locale;

/**
 * What stays the same in all rounds of a training.
 *
 * @param kernel the kind of kernel and layout, such as {@code logistic dense}
 * @param fraction expected share of the rows in a round
 * @param rounds their number, or {@link #UNKNOWN}
 */
public record Workload(String kernel, double fraction, int rounds) {
  /** The number of rounds of a training whose end is unknown. */
  public static final int UNKNOWN = 0;

  /** With an unknown end, at least so many rounds are expected. */
  private static final int LEAST_EXPECTED = 8;

  /**
   * Rounds without use before a replica is dropped. Where the number of rounds is unknown, a round
   * is long and blocks are as large as Spark's own: memory soon is that of one copy.
   */
  int patience() {
    return rounds == UNKNOWN ? 1 : StaleReplicas.PATIENCE_ROUNDS;
  }

  /** Rounds from {@code round} on; of an unknown number, as many as there have been. */
  int roundsFrom(int round) {
    return rounds == UNKNOWN ? Math.max(LEAST_EXPECTED, round) : rounds + 1 - round;
  }

  /**
   * A round, for Spark's UI. Its rows are the expected sample; elements of L-BFGS may be many rows.
   *
   * @param all rows of the data
   */
  String describe(int round, long all, long executors) {
    return rounds == UNKNOWN
        ? String.format(Locale.ROOT, ", round %,d: on %s", round, count(executors))
        : String.format(
            Locale.ROOT,
            ", round %,d of %,d: %,d rows on %s",
            round,
            rounds,
            Math.round(all * fraction),
            count(executors));
  }

  private static String count(long executors) {
    return ReportText.count(executors, "executor");
  }
}
