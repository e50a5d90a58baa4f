package io.sparkata.allocation;

import java.util.SplittableRandom;

/**
 * What a round costs workers whatever their units, above what it usually costs the least burdened:
 * what all have in common makes no difference, and differences within what the rounds of one worker
 * vary by are none. They would change shares in every round.
 */
final class Burdens {

  /** Of so many workers one is the least burdened by which all are judged. */
  private static final int LEAST_BURDENED = 10;

  private Burdens() {}

  /**
   * Sets the burdens of the workers.
   *
   * @param round the round that is being allocated: who rested in the one before is judged by the
   *     others, but they are not by it
   */
  static void compare(TrackedWorker[] workers, long round) {
    double[] usual = new double[workers.length];
    int size = 0;
    for (TrackedWorker worker : workers) {
      if (worker.fixedTime().isSettled() && worker.hasWorkedIn(round - 1)) {
        usual[size++] = worker.fixedTime().usualMost();
      }
    }
    double least =
        size == 0
            ? Double.POSITIVE_INFINITY
            : Selection.select(usual, size, size / LEAST_BURDENED, new SplittableRandom(0));
    for (TrackedWorker worker : workers) {
      worker.setBurden(
          worker.fixedTime().isKnown() ? Math.max(0, worker.fixedTime().median() - least) : 0);
    }
  }
}
