package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.cache.CachedStage.NotDone;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StageSpeedsTest {
  private final StageSpeeds speeds = new StageSpeeds();

  private double ratio() {
    return speeds.slowness("slow") / speeds.slowness("fast");
  }

  /** A k-means stage and an evaluator's teach one ratio. */
  @Test
  void add_stagesOfOtherCost_teachOneRatio() {
    for (double cost : new double[] {7, 1, 50, 0.2, 3}) {
      speeds.add(Map.of("fast", cost, "slow", 4 * cost), Map.of());
    }

    assertThat(ratio()).isCloseTo(4, within(1e-9));
    assertThat(speeds.cost() * speeds.slowness("fast")).isCloseTo(3, within(1e-9));
    assertThat(speeds.cost() * speeds.slowness("slow")).isCloseTo(12, within(1e-9));
  }

  @Test
  void add_firstStage_doesNotCount() {
    speeds.add(Map.of("fast", 90.0, "slow", 100.0), Map.of()); // on cold JVMs
    assertThat(speeds.isEmpty()).isTrue();

    speeds.add(Map.of("fast", 1.0, "slow", 3.0), Map.of());
    assertThat(speeds.isKnown("fast")).isTrue();
    assertThat(ratio()).isCloseTo(3, within(1e-9));
  }

  @Test
  void add_throttled_isFollowedByTheThirdStage() {
    for (int stage = 0; stage < 6; stage++) {
      speeds.add(Map.of("a", 1.0, "fast", 1.0, "slow", 1.0), Map.of());
    }
    for (int stage = 0; stage < 3; stage++) {
      speeds.add(Map.of("a", 1.0, "fast", 1.0, "slow", 3.0), Map.of());
    }

    assertThat(ratio()).isCloseTo(3, within(1e-9));
  }

  /** Their tasks ended before the slow executor met its CPU quota. */
  @Test
  void add_lightStages_hardlyCount() {
    for (int stage = 0; stage < 100; stage++) {
      boolean isLong = stage % 10 == 0;
      speeds.add(Map.of("fast", isLong ? 1 : 0.02, "slow", isLong ? 4 : 0.02), Map.of());
      speeds.addFixed(Map.of("slow", isLong ? 5.0 : 0.01));
    }
    assertThat(ratio()).isCloseTo(4, within(1e-9));
    assertThat(speeds.fixedSeconds("slow")).isEqualTo(5);

    for (int stage = 0; stage < 2; stage++) { // nothing else is known of it
      speeds.add(Map.of("fast", 0.02, "new", 0.06), Map.of());
    }
    assertThat(speeds.slowness("new") / speeds.slowness("fast")).isCloseTo(3, within(1e-9));
    speeds.addFixed(Map.of("new", 0.01));
    speeds.add(Map.of("fast", 1.0, "slow", 4.0, "new", 30.0), Map.of());
    speeds.addFixed(Map.of("new", 5.0));
    assertThat(speeds.slowness("new") / speeds.slowness("fast")).isCloseTo(30, within(1e-9));
    assertThat(speeds.fixedSeconds("new")).isEqualTo(5);

    for (int stage = 0; stage < 350; stage++) { // three times as long as a long one
      speeds.add(Map.of("fast", 0.02, "slow", 0.04), Map.of());
    }
    assertThat(ratio()).isCloseTo(2, within(1e-9));
  }

  /** The first one, on cold JVMs, is not one of two long ones. */
  @Test
  void add_longFirstStage_makesNoOtherLight() {
    speeds.add(Map.of("fast", 90.0, "slow", 100.0), Map.of());
    speeds.add(Map.of("fast", 90.0, "slow", 100.0), Map.of());
    for (int stage = 0; stage < 5; stage++) {
      speeds.add(Map.of("fast", 0.1, "slow", 0.3), Map.of());
    }

    assertThat(ratio()).isCloseTo(3, within(1e-9));
  }

  /** The light stage's task ended before the executor met its quota. */
  @Test
  void addNotDone_lightStage_leavesTheExecutorSlow() {
    for (int stage = 0; stage < 3; stage++) {
      speeds.add(Map.of("fast", 1.0, "slow", 1.0), Map.of());
    }
    speeds.add(Map.of("fast", 1.0), Map.of());
    speeds.addNotDone(Map.of("slow", new NotDone(3, 1)), Map.of("fast", 1.0), Map.of());
    speeds.add(Map.of("fast", 0.05, "slow", 0.05), Map.of());
    assertThat(ratio()).isCloseTo(6, within(1e-9));

    speeds.add(Map.of("fast", 1.0, "slow", 1.0), Map.of());
    speeds.add(Map.of("fast", 0.05), Map.of());
    speeds.addNotDone(Map.of("slow", new NotDone(1, 1)), Map.of("fast", 0.05), Map.of());
    assertThat(ratio()).as("it lost a light one").isCloseTo(1, within(1e-9));
  }

  /** Its one task fetched the broadcasts, which took 5 in earlier stages. */
  @Test
  void add_executorWithOneTask_isGuessedByItsFixedSeconds() {
    for (int stage = 0; stage < 6; stage++) {
      speeds.add(Map.of("a", 1.0, "fast", 1.0, "slow", 4.0), Map.of());
      speeds.addFixed(Map.of("slow", 5.0));
    }

    assertThat(speeds.add(Map.of("a", 1.0, "fast", 1.0, "slow", 4.0), Map.of("slow", 2.0)))
        .containsEntry("slow", 2.0); // 1.5 would be below half
    assertThat(speeds.add(Map.of("a", 1.0, "fast", 1.0, "slow", 5.5), Map.of("slow", 2.0)))
        .containsEntry("slow", 3.0);
  }

  /** Its one task fetched the broadcasts. */
  @Test
  void add_executorWithOneTask_isNoSlowerThanKnownAndMayBeFaster() {
    for (int stage = 0; stage < 6; stage++) {
      speeds.add(Map.of("a", 1.0, "fast", 1.0, "slow", 4.0), Map.of());
    }

    assertThat(speeds.add(Map.of("a", 2.0, "fast", 2.0, "slow", 40.0), Map.of("slow", 1.0)))
        .isEqualTo(Map.of("a", 2.0, "fast", 2.0, "slow", 8.0));
    for (int stage = 0; stage < 3; stage++) {
      speeds.add(Map.of("a", 1.0, "fast", 1.0, "slow", 2.0), Map.of("slow", 1.0));
    }
    assertThat(ratio()).isCloseTo(2, within(1e-9));
  }

  /** Where all have one task they are compared. */
  @Test
  void add_allHaveOneTask_teachesTheirRatio() {
    Map<String, Double> all = Map.of("fast", 1.0, "slow", 1.0);
    for (int stage = 0; stage < 3; stage++) {
      speeds.add(Map.of("fast", 1.0, "slow", 4.0), all);
    }
    for (int stage = 0; stage < 6; stage++) {
      speeds.add(Map.of("fast", 1.0, "slow", 9.0), all);
    }

    assertThat(ratio()).isCloseTo(9, within(1e-9));
  }

  /** Such as one that holds no partition. */
  @Test
  void slowness_notMeasured_isTheMedian() {
    for (int stage = 0; stage < 3; stage++) {
      speeds.add(Map.of("fast", 1.0, "slow", 5.0, "other", 2.0), Map.of());
    }

    assertThat(speeds.isKnown("new")).isFalse();
    assertThat(speeds.slowness("new")).isEqualTo(speeds.slowness("other"));
  }

  /** Second attempts do all of its tasks sooner. */
  @Test
  void addNotDone_executor_takesTwiceAsLongUntilItDoesATask() {
    for (int stage = 0; stage < 3; stage++) {
      speeds.add(Map.of("fast", 1.0, "other", 2.0), Map.of());
      speeds.addNotDone( // of twice the mean weight, and half is fixed
          Map.of("slow", new NotDone(/* seconds= */ stage == 1 ? 9 : 1, /* weight= */ 2)),
          Map.of("fast", 1.0, "other", 2.0),
          Map.of("fast", 1.0, "other", 2.0));
    }
    assertThat(ratio()).isCloseTo(6, within(1e-9));

    speeds.add(Map.of("fast", 1.0, "other", 2.0, "slow", 2.0), Map.of()); // a cold one
    assertThat(speeds.slowness("slow")).isEqualTo(speeds.slowness("new"));
  }

  /** All JVMs were cold, and the slow executors may never do a task. */
  @Test
  void addNotDone_firstStage_countsWithinBounds() {
    speeds.add(Map.of("fast", 2.0, "other", 2.0), Map.of());
    speeds.addNotDone(
        Map.of("slow", new NotDone(6, 1), "slowest", new NotDone(90, 1)),
        Map.of("fast", 2.0, "other", 2.0),
        Map.of());
    assertThat(speeds.isEmpty()).isTrue();
    assertThat(speeds.hasRun("slow")).isFalse();

    speeds.add(Map.of("fast", 1.0, "other", 1.0), Map.of());
    assertThat(ratio()).isCloseTo(6, within(1e-9));
    assertThat(speeds.slowness("slowest")).isEqualTo(8);
    assertThat(speeds.slowness("new")).isEqualTo(1);
  }

  @Test
  void isWarm_tenStagesOrTenSecondsAfterTheFirst() {
    for (int stage = 0; stage < 9; stage++) {
      speeds.add(Map.of("short", 0.2, "long", stage == 0 ? 50 : 6.0), Map.of());
      assertThat(speeds.isWarm("short")).isFalse();
      assertThat(speeds.isWarm("long")).as("after stage %d", stage).isEqualTo(stage >= 2);
    }

    speeds.add(Map.of("short", 0.2), Map.of());
    assertThat(speeds.isWarm("short")).isTrue();
  }

  /** Its seconds for a mean partition are mostly what a stage takes besides. */
  @Test
  void isWarm_onlyTaskOverASmallPartition_countsByItsWeight() {
    for (int stage = 0; stage < 3; stage++) {
      speeds.add(Map.of("fast", 1.0, "small", 20.0), Map.of("small", /* weight= */ 0.02));
    }

    assertThat(speeds.isWarm("small")).isFalse();
  }

  /** Otherwise its partition would stay for good: others do its task in each stage. */
  @Test
  void isWarm_secondsOfTasksThatOthersDidSooner_count() {
    speeds.add(Map.of("fast", 2.0), Map.of());
    speeds.addNotDone(Map.of("slow", new NotDone(6, 1)), Map.of("fast", 2.0), Map.of());
    assertThat(speeds.isWarm("slow")).isFalse();

    speeds.addNotDone(Map.of("slow", new NotDone(5, 1)), Map.of("fast", 2.0), Map.of());
    assertThat(speeds.isWarm("slow")).isTrue();
    assertThat(speeds.hasRun("slow")).isFalse();
    speeds.retain(Set.of("fast"));
    assertThat(speeds.isWarm("slow")).isFalse();
  }

  @Test
  void retain_gone_isForgotten() {
    for (int stage = 0; stage < 3; stage++) {
      speeds.add(Map.of("fast", 1.0, "slow", 5.0), Map.of());
    }
    speeds.retain(Set.of("fast"));

    assertThat(speeds.isKnown("slow")).isFalse();
    assertThat(speeds.isKnown("fast")).isTrue();
  }
}
