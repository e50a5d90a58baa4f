package io.sparkata.allocation;

import java.util.Arrays;

/**
 * The overhead of one worker per round, by its last seven rounds, and its excess over the overhead
 * that the workers with the least usually stay within. An overhead common to all workers does not
 * change an allocation, and differences within the variation of one worker's rounds would change
 * the shares in every round.
 *
 * <p>The first two rounds are ignored, because a worker also loads classes in them. Three more
 * rounds must follow before the overhead is known. After a rest only the overhead since the trial
 * counts.
 */
final class RoundOverhead {

  private static final int COLD_ROUNDS = 2;
  private static final int LEAST_ROUNDS = 3;
  private static final int ROUNDS_KEPT = 7;

  /** One in this many workers counts as a worker with the least overhead. */
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
   * @param round the round to allocate: a worker that rested in the round before is compared with
   *     the others, but they are not compared with it
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

  /** Collects the overhead of one slot in a round; the longest counts. */
  void collect(double time) {
    longest = Math.max(longest, time);
  }

  /** Adds the round collected since the last call, if any. */
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

  /** The next round's overhead replaces all earlier ones. */
  void restart() {
    isStale = true;
  }

  /** The worker's speed has changed: keeps only the three rounds in which that showed. */
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

  /** Forgets everything except that the worker is warm. */
  void forget() {
    restart();
    excess = 0;
  }

  /** The excess over the workers with the least overhead, as of the last comparison. */
  double excess() {
    return excess;
  }

  /** Whether the worker's own overhead is known. */
  boolean isKnown() {
    return rounds >= LEAST_ROUNDS || (isTried && rounds > 0);
  }

  /** Whether other workers may be compared with it. */
  boolean isSettled() {
    return rounds >= LEAST_ROUNDS && !isStale;
  }

  /** The median of the rounds kept, the lower one of two: an outlier does not move it. */
  double median() {
    double[] sorted = sorted();
    return sorted[(sorted.length - 1) / 2];
  }

  /** The largest overhead of the rounds kept, without the longest of seven. */
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
