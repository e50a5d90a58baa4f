package io.sparkata.simulation;

import java.util.random.RandomGenerator;

/**
 * Common random numbers: unit j of worker i in round k takes the same time under every contender,
 * so contenders differ by their decisions alone. SplitMix64 (Steele, Lea, Flood 2014), positioned
 * for each worker and round.
 */
final class UnitRandom implements RandomGenerator {

  /** The uses of random numbers in a round; each has a stream of its own. */
  enum Use {
    TIMES(0),
    /** Units that a leaving worker left. */
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

  /** Moves to the numbers of this worker and round. */
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
