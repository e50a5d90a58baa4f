package io.sparkata.simulation;

import java.util.random.RandomGenerator;

/**
 * Common random numbers: unit j of worker i in round k takes the same time whoever allocates, so
 * that contenders differ by what they decide alone. SplitMix64 (Steele, Lea, Flood 2014), placed
 * anew for each worker and round.
 */
final class UnitRandom implements RandomGenerator {

  /** What the numbers of a round are for; each has its own. */
  enum Use {
    TIMES(0),
    /** Of the units that a worker left behind. */
    SECOND_TIMES(1),
    CENSORING(2);

    private final int tag;

    Use(int tag) {
      this.tag = tag;
    }
  }

  private static final long GAMMA = 0x9E3779B97F4A7C15L;
  private static final long WORKER_STEP = 0xD1B54A32D192ED03L;

  private final long seed;
  private long state;

  UnitRandom(long seed, Use use) {
    this.seed = mix(mix(seed) + use.tag);
  }

  /** Starts the numbers of this worker and round. */
  UnitRandom at(int worker, long round) {
    state = mix(mix(seed + WORKER_STEP * (worker + 1)) + round);
    return this;
  }

  @Override
  public long nextLong() {
    state += GAMMA;
    return mix(state);
  }

  private static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
