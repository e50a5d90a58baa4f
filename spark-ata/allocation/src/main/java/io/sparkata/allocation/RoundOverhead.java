package io.sparkata.allocation;

import java.util.Arrays;

/**
 * What a round costs one worker besides its units, by its last seven rounds, and how much of that
 * is above what rounds usually cost the workers of least overhead: what all workers have in common
 * makes no difference to an allocation, and differences within what one worker's rounds vary by
 * would change the shares in every round.
 *
 * <p>The first two rounds are left out, in which a worker also loads classes, and three more must
 * follow before anything is known. A worker that is tried after a rest is judged by what it costs
 * from then on.
 */
final class RoundOverhead {

  private static final int COLD_ROUNDS = 2;
  private static final int LEAST_ROUNDS = 3;
  private static final int ROUNDS_KEPT = 7;

  /** One in so many workers is of the least overhead, by which all are judged. */
  private static final int LEAST_SHARE = 10;

  private final double[] kept = new double[ROUNDS_KEPT];
  private double longest = -1;
  private int cold = COLD_ROUNDS;
  private int rounds;
  private boolean isStale;
  private boolean isTried;
  private double excess;

  /**
   * Sets {@link #excess} of all workers.
   *
   * @param round the round that is being allocated: a worker that rested in the one before is
   *     judged by the others, but they are not by it
   */
  static void compare(TrackedWorker[] workers, long round) {
    double[] usual =
        Arrays.stream(workers)
            .filter(worker -> worker.overhead().isSettled() && worker.hasWorkedIn(round - 1))
            .mapToDouble(worker -> worker.overhead().usualMost())
            .sorted()
            .toArray();
    double least = usual.length == 0 ? Double.POSITIVE_INFINITY : usual[usual.length / LEAST_SHARE];
    for (TrackedWorker worker : workers) {
      RoundOverhead own = worker.overhead();
      own.excess = own.isKnown() ? Math.max(0, own.median() - least) : 0;
    }
  }

  /** Takes in what one slot reports of a round; the slowest slot's time counts. */
  void collect(double time) {
    longest = Math.max(longest, time);
  }

  /** Adds the round collected since the last call, if there is one. */
  void learn() {
    if (longest >= 0) {
      add(longest);
      longest = -1;
    }
  }

  private void add(double time) {
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
    }
  }

  /** Forgets everything but that the worker is warm. */
  void forget() {
    restart();
    excess = 0;
  }

  /** Above what a round usually costs the workers of least overhead, as of the last comparison. */
  double excess() {
    return excess;
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
    double[] sorted = sorted();
    return sorted[(sorted.length - 1) / 2];
  }

  /** What the rounds kept stayed within, but for the longest of seven. */
  double usualMost() {
    double[] sorted = sorted();
    return sorted[Math.min(sorted.length - 1, ROUNDS_KEPT - 2)];
  }

  private double[] sorted() {
    double[] sorted = Arrays.copyOf(kept, Math.min(rounds, ROUNDS_KEPT));
    Arrays.sort(sorted);
    return sorted;
  }
}
