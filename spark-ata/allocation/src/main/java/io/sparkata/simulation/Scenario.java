package io.sparkata.simulation;

import io.sparkata.allocation.Prior;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Everything that does not depend on the allocation: the law, the budget, the workers present in
 * each round, fixed costs, lost observations. Immutable. Drift belongs to the law; see {@link
 * Drift}.
 */
public final class Scenario {

  private static final long NEVER = Long.MAX_VALUE;

  private final TimeLaw law;
  private final int budget;
  private final double[] fixedCosts;
  private final long[] joins;
  private final long[] leaves;
  private final double censored;

  /** Rosters by their first round. */
  private final NavigableMap<Long, Roster> rosters = new TreeMap<>();

  private Scenario(
      TimeLaw law, int budget, double[] fixedCosts, long[] joins, long[] leaves, double censored) {
    this.law = law;
    this.budget = budget;
    this.fixedCosts = fixedCosts;
    this.joins = joins;
    this.leaves = leaves;
    this.censored = censored;
    for (int i = 0; i < joins.length; i++) {
      for (long change : new long[] {1, joins[i], leaves[i], leaves[i] + 1}) {
        if (change >= 1 && change < NEVER) {
          rosters.computeIfAbsent(
              change, k -> Roster.of(law, w -> joins[w] <= k && k <= leaves[w]));
        }
      }
    }
    for (long round : rosters.keySet()) {
      Checks.require(
          staying(round).size() > 0,
          "Invalid scenario: nobody is left in round " + round + " (at least one worker)");
    }
  }

  /**
   * The setting of the paper: all workers are present in all rounds, a round has no fixed cost, and
   * every time is observed.
   *
   * @param budget the paper's B: units per round, at least 1
   */
  public static Scenario of(TimeLaw law, int budget) {
    Checks.require(budget >= 1, "Invalid budget: " + budget + " (at least 1 unit)");
    long[] joins = new long[law.workers()];
    long[] leaves = new long[law.workers()];
    Arrays.fill(joins, 1);
    Arrays.fill(leaves, NEVER);
    return new Scenario(law, budget, new double[law.workers()], joins, leaves, 0);
  }

  /** Every worker with units in a round first loses this time. */
  public Scenario withFixedCost(double cost) {
    double[] costs = new double[law.workers()];
    Arrays.fill(costs, cost);
    return withFixedCosts(costs);
  }

  /** As {@link #withFixedCost}, one cost per worker, each at least 0 and finite. */
  public Scenario withFixedCosts(double[] costs) {
    Checks.require(
        costs.length == law.workers(),
        "Invalid fixed costs: " + costs.length + " (one per worker: " + law.workers() + ")");
    for (double cost : costs) {
      Checks.notNegative("fixed cost", cost);
    }
    return new Scenario(law, budget, costs.clone(), joins, leaves, censored);
  }

  /** The worker joins in {@code round}. */
  public Scenario withJoin(int worker, long round) {
    long[] changed = joins.clone();
    changed[worker] = round;
    return new Scenario(law, budget, fixedCosts, changed, leaves, censored);
  }

  /**
   * The worker leaves in {@code round}. It gets units and is lost when it would have finished the
   * last one; its work in that round is lost too. When the others are done, its units are allocated
   * again among the workers that stay.
   */
  public Scenario withLeave(int worker, long round) {
    long[] changed = leaves.clone();
    changed[worker] = round;
    return new Scenario(law, budget, fixedCosts, joins, changed, censored);
  }

  /**
   * With this probability a policy gets only a lower bound of a worker's time in a round, u times
   * the true time with u uniform, as if a speculative copy had won.
   */
  public Scenario withCensoring(double probability) {
    Checks.require(
        probability >= 0 && probability <= 1,
        "Invalid probability of censoring: " + probability + " (from 0 to 1)");
    return new Scenario(law, budget, fixedCosts, joins, leaves, probability);
  }

  /** The law of times. */
  public TimeLaw law() {
    return law;
  }

  /** Units per round. */
  public int budget() {
    return budget;
  }

  /**
   * The true means, {@link TimeLaw#baseMean}, by the names of the workers, for policies that do not
   * learn.
   *
   * @param units the weight of each as a prior
   */
  public Map<String, Prior> trueMeans(double units) {
    Map<String, Prior> means = new LinkedHashMap<>();
    for (int i = 0; i < law.workers(); i++) {
      means.put(law.worker(i), new Prior(law.baseMean(i), units));
    }
    return means;
  }

  double fixedCost(int worker) {
    return fixedCosts[worker];
  }

  double censored() {
    return censored;
  }

  /** The workers that get units in the round, including those that leave in it. */
  Roster roster(long round) {
    return rosters.floorEntry(round).getValue();
  }

  /** The workers of the round without those that leave in it. */
  Roster staying(long round) {
    return Roster.of(law, i -> isStaying(i, round));
  }

  /** Whether the worker gets units in the round and does not leave in it. */
  boolean isStaying(int worker, long round) {
    return joins[worker] <= round && round < leaves[worker];
  }

  /** Whether the worker leaves in the round, so that its work is lost. */
  boolean isLeaving(int worker, long round) {
    return leaves[worker] == round;
  }
}
