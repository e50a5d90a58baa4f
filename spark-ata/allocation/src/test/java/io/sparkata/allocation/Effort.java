package io.sparkata.allocation;

/**
 * How much to run.
 *
 * @param seeds of a long run; short runs get more
 * @param isQuick whether the longest runs are left out
 */
record Effort(int seeds, boolean isQuick) {

  /** Seeds of runs of this many rounds: runs of 100 rounds vary most. */
  int seeds(long rounds) {
    return rounds <= 200 ? 10 * seeds : rounds <= 1_000 ? 2 * seeds : seeds;
  }
}
