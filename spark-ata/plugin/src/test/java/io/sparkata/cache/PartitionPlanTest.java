package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.cache.PartitionPlan.Move;
import io.sparkata.cache.PartitionPlan.Plan;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PartitionPlanTest {
  private static double longest(double[] weights, int[] at, StageCosts costs) {
    double[] seconds = new double[costs.executors()];
    for (int p = 0; p < at.length; p++) {
      seconds[at[p]] += seconds[at[p]] == 0 ? costs.fixed()[at[p]] : 0;
      seconds[at[p]] += weights[p] * costs.perWeight()[at[p]];
    }
    return Arrays.stream(seconds).max().orElse(0);
  }

  private static Plan of(double[] weights, int[] at, StageCosts costs) {
    boolean[] all = new boolean[costs.executors()];
    Arrays.fill(all, true);
    return PartitionPlan.of(weights, movable(weights.length), at, costs, all);
  }

  private static boolean[] movable(int partitions) {
    boolean[] all = new boolean[partitions];
    Arrays.fill(all, true);
    return all;
  }

  private static StageCosts perWeight(double... seconds) {
    return new StageCosts(new double[seconds.length], seconds);
  }

  /** The slowest is within one partition for each executor of what divisible ones would take. */
  @Property(tries = 300)
  void of_anyCluster_isNearTheOptimum(
      @ForAll @IntRange(min = 1, max = 12) int executors,
      @ForAll @IntRange(min = 1, max = 80) int partitions,
      @ForAll long seed) {
    Random random = new Random(seed);
    double[] secondsPerWeight = random.doubles(executors, 0.1, 5).toArray();
    double[] fixed = random.doubles(executors, 0, seed % 2 == 0 ? 1e-12 : 9).toArray();
    StageCosts costs = new StageCosts(fixed, secondsPerWeight);
    double[] weights = random.doubles(partitions, 1, 9).toArray();
    int[] at = random.ints(partitions, 0, executors).toArray();
    int[] given = at.clone();

    Plan plan = of(weights, at, costs);

    assertThat(at).isEqualTo(given);
    assertThat(plan.before()).isEqualTo(longest(weights, at, costs), within(1e-9));
    for (Move move : plan.moves()) {
      assertThat(at[move.partition()]).isEqualTo(move.from()).isNotEqualTo(move.to());
      at[move.partition()] = move.to();
    }
    assertThat(plan.after()).isEqualTo(longest(weights, at, costs), within(1e-9));
    assertThat(PartitionPlan.gain(plan.moves(), weights, given, costs))
        .isEqualTo(1 - plan.after() / plan.before(), within(1e-9));
    double speed = Arrays.stream(secondsPerWeight).map(one -> 1 / one).sum();
    double divisible = Arrays.stream(weights).sum() / speed;
    double largest = Arrays.stream(weights).max().orElse(0);
    double dearest = Arrays.stream(fixed).max().orElse(0);
    assertThat(plan.after())
        .isBetween(divisible - 1e-9, divisible + dearest + executors * largest / speed);
    assertThat(plan.after()).isLessThanOrEqualTo(plan.before() + 1e-9);
  }

  @Test
  void of_evenlyCachedOnUnevenExecutors_movesFromTheSlow() {
    int[] at = new int[32];
    Arrays.setAll(at, p -> p % 4);
    double[] weights = new double[32];
    Arrays.fill(weights, 1);

    Plan plan = of(weights, at, perWeight(1, 2, 4, 8));

    assertThat(plan.before()).isEqualTo(64);
    assertThat(plan.after()).isEqualTo(18); // 17.07 if partitions could be divided
    assertThat(plan.moves()).hasSize(10).allSatisfy(move -> assertThat(move.to()).isLessThan(2));
  }

  @Test
  void of_onePartition_goesToTheFastest() {
    Plan plan = of(new double[] {3}, new int[] {0}, perWeight(2, 1, 3));

    assertThat(plan.moves()).containsExactly(new Move(0, 0, 1));
    assertThat(plan.after()).isEqualTo(3);
  }

  /** It has fewer then, and one with fixed seconds above all others' has none. */
  @Test
  void of_fixedSeconds_countForAnExecutorWithPartitions() {
    double[] weights = {1, 1, 1, 1};
    int[] at = {0, 0, 1, 1};

    assertThat(of(weights, at, new StageCosts(new double[] {0, 2}, new double[] {1, 1})))
        .isEqualTo(new Plan(List.of(new Move(2, 1, 0)), 4, 3));
    assertThat(of(weights, at, new StageCosts(new double[] {0, 9}, new double[] {1, 1})))
        .satisfies(plan -> assertThat(plan.moves()).hasSize(2))
        .satisfies(plan -> assertThat(plan.after()).isEqualTo(4));
  }

  @Test
  void of_executorIsHardlyKnown_keepsItsLast() {
    double[] weights = {1, 1, 1};
    int[] at = {0, 1, 1};
    boolean[] known = {true, false};

    Plan plan = PartitionPlan.of(weights, movable(3), at, perWeight(1, 100), known);

    assertThat(plan.moves()).containsExactly(new Move(1, 1, 0));
    assertThat(of(weights, at, perWeight(1, 100)).moves()).hasSize(2);
  }

  @Test
  void of_partitionMayNotMove_countsWhereItIs() {
    double[] weights = {5, 1, 1};
    boolean[] mayMove = {false, true, true};

    Plan plan =
        PartitionPlan.of(weights, mayMove, new int[3], perWeight(1, 1), new boolean[] {true, true});

    assertThat(plan.moves()).containsExactly(new Move(1, 0, 1), new Move(2, 0, 1));
    assertThat(plan.after()).isEqualTo(5);
  }

  @Test
  void isWorthIt_anyOfTheLastStagesGainsLittle_isNot() {
    double[] weights = {1, 1, 1, 1};
    int[] at = {0, 1, 1, 1};
    Plan plan = of(weights, at, perWeight(1, 1));
    StageCosts same = perWeight(1, 1);

    assertThat(plan.isWorthIt(weights, at, List.of(same, perWeight(1, 3), same))).isTrue();
    assertThat(plan.isWorthIt(weights, at, List.of(same, perWeight(2, 1), same))).isFalse();
  }

  @Test
  void of_nothingCached_isEmpty() {
    Plan plan = of(new double[0], new int[0], perWeight(2, 1));

    assertThat(plan).isEqualTo(new Plan(List.of(), 0, 0));
  }
}
