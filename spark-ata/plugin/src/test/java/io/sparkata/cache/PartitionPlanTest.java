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
    double[][] seconds = new double[costs.executors()][];
    Arrays.setAll(seconds, e -> new double[costs.slots()[e]]);
    for (int p = 0; p < at.length; p++) {
      double[] slots = seconds[at[p]];
      Arrays.sort(slots);
      slots[0] += slots[0] == 0 ? costs.fixed()[at[p]] : 0;
      slots[0] += weights[p] * costs.perWeight()[at[p]];
    }
    return Arrays.stream(seconds).flatMapToDouble(Arrays::stream).max().orElse(0);
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
    return onSlots(1, seconds);
  }

  private static StageCosts onSlots(int slots, double... seconds) {
    return costs(slots, new double[seconds.length], seconds);
  }

  private static StageCosts costs(int slots, double[] fixed, double... seconds) {
    int[] all = new int[seconds.length];
    Arrays.fill(all, slots);
    return new StageCosts(fixed, seconds, all);
  }

  /**
   * The slowest is within one partition for each slot of what divisible ones would take; with
   * several slots about that, of partitions that differ little.
   */
  @Property(tries = 300)
  void of_anyCluster_isNearTheOptimum(
      @ForAll @IntRange(min = 1, max = 12) int executors,
      @ForAll @IntRange(min = 1, max = 80) int partitions,
      @ForAll @IntRange(min = 1, max = 4) int slots,
      @ForAll long seed) {
    Random random = new Random(seed);
    double[] secondsPerWeight = random.doubles(executors, 0.1, 5).toArray();
    double[] fixed = random.doubles(executors, 0, seed % 2 == 0 ? 1e-12 : 9).toArray();
    StageCosts costs = costs(slots, fixed, secondsPerWeight);
    double[] weights = random.doubles(partitions, 1, slots == 1 ? 9 : 1.5).toArray();
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
    double speed = slots * Arrays.stream(secondsPerWeight).map(one -> 1 / one).sum();
    double divisible = Arrays.stream(weights).sum() / speed;
    double largest = Arrays.stream(weights).max().orElse(0);
    double dearest = Arrays.stream(fixed).max().orElse(0);
    double most = divisible + dearest + slots * executors * largest / speed;
    assertThat(plan.after()).isBetween(divisible - 1e-9, slots == 1 ? most : 1.1 * most);
    assertThat(plan.after()).isLessThanOrEqualTo(plan.before() + 1e-9);
  }

  @Test
  void of_evenlyCachedOnUnevenExecutors_movesFromTheSlow() {
    Plan plan = of(ones(32), places(32, 4), perWeight(1, 2, 4, 8));

    assertThat(plan.before()).isEqualTo(64);
    assertThat(plan.after()).isEqualTo(18); // 17.07 if partitions could be divided
    assertThat(plan.moves()).hasSize(10).allSatisfy(move -> assertThat(move.to()).isLessThan(2));
  }

  /** Of two slots: 2 of 16 partitions take the slow one 4 s, and 14 the fast one 7 s. */
  @Test
  void of_severalSlots_countsWholeTasks() {
    Plan plan = of(ones(16), places(16, 2), onSlots(2, 1, 4));

    assertThat(plan.before()).isEqualTo(16);
    assertThat(plan.after()).isEqualTo(7); // 3 and 13 would take 8, and no less than 6.4
    assertThat(plan.moves()).hasSize(6).allSatisfy(move -> assertThat(move.to()).isZero());
  }

  /** A fifth partition on four slots waits for one of the four. */
  @Test
  void of_oneForEachSlot_moveOnlyWhereTwoAreFaster() {
    double[] weights = ones(12);
    int[] at = places(12, 3);

    assertThat(of(weights, at, onSlots(4, 1, 1, 1.9)))
        .isEqualTo(new Plan(List.of(), /* before= */ 1.9, /* after= */ 1.9));
    Plan plan = of(weights, at, onSlots(4, 1, 1, 3));
    assertThat(plan.after()).isEqualTo(2);
    assertThat(plan.moves()).hasSize(4);
  }

  /** Nothing is won before the last has moved, which it may not. */
  @Test
  void of_noMoveHelps_isNone() {
    Plan plan =
        PartitionPlan.of(
            ones(4), movable(4), places(4, 2), onSlots(2, 1, 3), new boolean[] {true, false});

    assertThat(plan).isEqualTo(new Plan(List.of(), /* before= */ 3, /* after= */ 3));
  }

  private static double[] ones(int partitions) {
    double[] weights = new double[partitions];
    Arrays.fill(weights, 1);
    return weights;
  }

  private static int[] places(int partitions, int executors) {
    int[] at = new int[partitions];
    Arrays.setAll(at, p -> p % executors);
    return at;
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

    assertThat(of(weights, at, costs(1, new double[] {0, 2}, 1, 1)))
        .isEqualTo(new Plan(List.of(new Move(2, 1, 0)), 4, 3));
    assertThat(of(weights, at, costs(1, new double[] {0, 9}, 1, 1)))
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

  /** They copy side by side. Seven moves, four to one of them, would do the same. */
  @Test
  void of_equalReceivers_getEquallyManyAndNoneIsMovedTwice() {
    int[] at = new int[24];
    Arrays.setAll(at, p -> p % 3);
    double[] weights = new double[24];
    Arrays.fill(weights, 1);

    Plan plan = of(weights, at, perWeight(1, 1, 4));

    assertThat(plan.moves()).hasSize(6).allMatch(move -> move.from() == 2);
    assertThat(plan.moves().stream().filter(move -> move.to() == 0)).hasSize(3);
    assertThat(plan.after()).isEqualTo(11, within(1e-9));
  }
}
