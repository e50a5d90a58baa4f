package io.sparkata.simulation;

import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.Allocator;

/** One of those who compete in a simulation: an allocation policy or a baseline. */
public abstract class Contender {

  /** How a policy learns from a round. */
  public enum Feedback {
    /** Once per worker: its units and their total time, as on a cluster. */
    PER_WORKER,
    /** Once per unit. */
    PER_UNIT
  }

  /** Makes the strategy of one run. */
  private interface Starter {
    Strategy start(Scenario scenario, long seed);
  }

  private Contender() {}

  abstract Clock start(Scenario scenario, long seed);

  /**
   * The bare policy, as in the paper: nothing protects it from newcomers. It learns, so this is
   * good for one run.
   */
  public static Contender policy(AllocationPolicy policy) {
    return policy(policy, Feedback.PER_WORKER);
  }

  /** As {@link #policy(AllocationPolicy)}, with another feedback. */
  public static Contender policy(AllocationPolicy policy, Feedback feedback) {
    return allocating((scenario, seed) -> new PolicyStrategy(policy), feedback);
  }

  /** The policy as the scheduler drives it, with the cap on newcomers. Good for one run. */
  public static Contender scheduled(AllocationPolicy policy) {
    return scheduled(policy, Feedback.PER_WORKER);
  }

  /** As {@link #scheduled(AllocationPolicy)}, with another feedback. */
  public static Contender scheduled(AllocationPolicy policy, Feedback feedback) {
    return allocating(
        (scenario, seed) -> new AllocatorStrategy(new Allocator(policy, /* rowsPerUnit= */ 1)),
        feedback);
  }

  /**
   * The paper's GTA: all workers start, whoever finishes a unit starts another, the B-th finished
   * unit ends the round and unfinished ones are thrown away. All workers are charged for the whole
   * round. One that leaves finishes nothing in its last round.
   */
  public static Contender greedy() {
    return new Contender() {
      @Override
      Clock start(Scenario scenario, long seed) {
        return new GreedyClock(scenario, seed);
      }
    };
  }

  /**
   * The paper's OFTA: the min-max allocation on the true means, {@link TimeLaw#baseMean}, among
   * those present. Blind to fixed costs and drift.
   */
  public static Contender optimalFixed() {
    return allocating((scenario, seed) -> FixedStrategy.minMax(scenario), Feedback.PER_WORKER);
  }

  /** The min-max allocation on the true means of each round: what to regret under drift. */
  public static Contender oracle() {
    return allocating((scenario, seed) -> new OracleStrategy(scenario), Feedback.PER_WORKER);
  }

  /**
   * The allocation of least expected round time by the laws of the first round, see {@link
   * ExpectedRoundTime}.
   *
   * @throws IllegalArgumentException when it starts, if a variance is infinite
   */
  public static Contender optimum() {
    return allocating((scenario, seed) -> FixedStrategy.optimum(scenario), Feedback.PER_WORKER);
  }

  /** Each worker once, in random order and B of them a round, then {@link #optimum}. */
  public static Contender exploreThenOptimum() {
    return allocating(ExploreStrategy::new, Feedback.PER_WORKER);
  }

  private static Contender allocating(Starter starter, Feedback feedback) {
    return new Contender() {
      @Override
      Clock start(Scenario scenario, long seed) {
        return new AllocationClock(scenario, seed, starter.start(scenario, seed), feedback);
      }
    };
  }
}
