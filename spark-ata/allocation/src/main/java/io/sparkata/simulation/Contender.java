package io.sparkata.simulation;

import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.Allocator;
import io.sparkata.simulation.Strategy.Rule;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** A participant of a simulation: an allocation policy or a baseline. */
public final class Contender {

  /** How a policy learns from a round. */
  public enum Feedback {
    /** Once per worker: its units and their total time, as on a cluster. */
    PER_WORKER,
    /** Once per unit. */
    PER_UNIT
  }

  /** Makes the clock of one run, which plays its rounds in order. */
  private interface Starter {
    Consumer<Round> start(Scenario scenario, long seed);
  }

  private final Starter starter;

  private Contender(Starter starter) {
    this.starter = starter;
  }

  Consumer<Round> start(Scenario scenario, long seed) {
    return starter.start(scenario, seed);
  }

  /**
   * The policy alone, as in the paper, without the cap on newcomers. It learns, so it serves one
   * run.
   */
  public static Contender policy(AllocationPolicy policy) {
    return policy(policy, Feedback.PER_WORKER);
  }

  /** As {@link #policy(AllocationPolicy)}, with this feedback. */
  public static Contender policy(AllocationPolicy policy, Feedback feedback) {
    Rule rule = (roster, round, budget) -> policy.allocate(roster.names(), budget);
    return learning(new Strategy(rule, policy::observe, policy::observeAtLeast), feedback);
  }

  /** The policy as the scheduler calls it, with the cap on newcomers. Serves one run. */
  public static Contender scheduled(AllocationPolicy policy) {
    return scheduled(policy, Feedback.PER_WORKER);
  }

  /** As {@link #scheduled(AllocationPolicy)}, with this feedback. */
  public static Contender scheduled(AllocationPolicy policy, Feedback feedback) {
    Allocator allocator = new Allocator(policy, /* rowsPerUnit= */ 1);
    Rule rule =
        (roster, round, budget) ->
            allocator.allocate(roster.names(), budget, /* rows= */ Math.max(1, budget));
    return learning(new Strategy(rule, allocator::observe, allocator::observeAtLeast), feedback);
  }

  /**
   * The paper's GTA. All workers start, and a worker that finishes a unit starts another. The B-th
   * finished unit ends the round, and unfinished units are discarded. All workers are charged for
   * the whole round. A worker that leaves finishes nothing in its last round.
   */
  public static Contender greedy() {
    return new Contender((scenario, seed) -> new GreedyClock(scenario, seed)::play);
  }

  /**
   * The paper's OFTA: the min-max allocation on the true means, {@link TimeLaw#baseMean}, among the
   * workers present. It ignores fixed costs and drift.
   */
  public static Contender optimalFixed() {
    return baseline((scenario, seed) -> Baselines.optimalFixed(scenario));
  }

  /** The min-max allocation on the true means of each round: the reference under drift. */
  public static Contender oracle() {
    return baseline((scenario, seed) -> Baselines.oracle(scenario));
  }

  /**
   * The allocation of least expected round time by the laws of the first round, see {@link
   * ExpectedRoundTime}.
   *
   * @throws IllegalArgumentException in its first round, if a variance is infinite
   */
  public static Contender optimum() {
    return baseline((scenario, seed) -> Baselines.optimum(scenario));
  }

  /** One unit per worker, in random order and B workers per round, then {@link #optimum}. */
  public static Contender exploreThenOptimum() {
    return baseline(Baselines::exploreThenOptimum);
  }

  private static Contender learning(Strategy strategy, Feedback feedback) {
    return new Contender(
        (scenario, seed) -> new AllocationClock(scenario, seed, strategy, feedback)::play);
  }

  private static Contender baseline(BiFunction<Scenario, Long, Rule> rules) {
    return new Contender(
        (scenario, seed) -> {
          Strategy strategy = Strategy.baseline(rules.apply(scenario, seed));
          return new AllocationClock(scenario, seed, strategy, Feedback.PER_WORKER)::play;
        });
  }
}
