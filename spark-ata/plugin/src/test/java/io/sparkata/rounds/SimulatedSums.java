package io.sparkata.rounds;

import java.util.function.Function;

/**
 * Where the sums of one training on a {@link SimulatedCluster} come from, and what they must be.
 */
public interface SimulatedSums {

  /**
   * Opens the rounds of the training.
   *
   * @param rounds of the training, as far as is known
   */
  Rounds open(RoundContext context, String policy, int rounds);

  /** Runs a round and checks its sum. */
  void check(Rounds rounds, int round);

  /** What a fault may cost a round that it strikes, or lasts into. */
  long mostNanos();

  /** Checks that nothing of the training is left. */
  void checkClosed();

  /**
   * Sums of all rows by the real {@link AtaScheduler}.
   *
   * @param runners makes what executes the rounds
   */
  static SimulatedSums allocated(
      SimulatedCluster cluster, Function<SimulatedCluster, RoundRunner> runners) {
    return new SimulatedAllocation(cluster, runners);
  }
}
