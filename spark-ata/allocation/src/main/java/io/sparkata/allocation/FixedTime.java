package io.sparkata.allocation;

import java.util.Arrays;

/**
 * What rounds cost one worker whatever their size, over its last seven. The first two are left out,
 * in which a worker also loads classes, and three more must follow before anything is known. A
 * worker that is tried after a rest is judged by what it costs from then on.
 */
final class FixedTime {

  private static final int COLD_ROUNDS = 2;
  private static final int LEAST_ROUNDS = 3;
  private static final int ROUNDS_KEPT = 7;

  private final double[] kept = new double[ROUNDS_KEPT];
  private int cold = COLD_ROUNDS;
  private int rounds;
  private boolean isStale;
  private boolean isTried;
  private double median;
  private double usualMost;

  /** Adds what one round cost. */
  void add(double time) {
    if (cold > 0) {
      cold--;
      return;
    }
    if (isStale) {
      isStale = false;
      isTried = true;
      rounds = 0;
    }
    kept[rounds % ROUNDS_KEPT] = time;
    rounds++;
    summarise();
  }

  /** The next round's replaces all before. */
  void restart() {
    isStale = true;
  }

  /** The worker's speed has changed: leaves out all but the three rounds in which that showed. */
  void keepLatest() {
    if (rounds > LEAST_ROUNDS) {
      double[] latest = new double[LEAST_ROUNDS];
      for (int i = 0; i < LEAST_ROUNDS; i++) {
        latest[i] = kept[(rounds - LEAST_ROUNDS + i) % ROUNDS_KEPT];
      }
      System.arraycopy(latest, 0, kept, 0, LEAST_ROUNDS);
      rounds = LEAST_ROUNDS;
      summarise();
    }
  }

  /** Goes over to another unit of time. */
  void rescale(double factor) {
    Arrays.setAll(kept, i -> factor * kept[i]);
    summarise();
  }

  private void summarise() {
    double[] sorted = Arrays.copyOf(kept, Math.min(rounds, ROUNDS_KEPT));
    Arrays.sort(sorted);
    if (sorted.length > 0) {
      median = sorted[(sorted.length - 1) / 2];
      usualMost = sorted[Math.min(sorted.length - 1, ROUNDS_KEPT - 2)];
    }
  }

  /** Enough to judge the worker by. */
  boolean isKnown() {
    return rounds >= LEAST_ROUNDS || (isTried && rounds > 0);
  }

  /** Enough to judge others by it. */
  boolean isSettled() {
    return rounds >= LEAST_ROUNDS && !isStale;
  }

  /** Of the rounds kept, of an even number the lower one: a stray delay does not move it. */
  double median() {
    return median;
  }

  /** What the rounds kept stayed within, but for the longest of seven. */
  double usualMost() {
    return usualMost;
  }
}
