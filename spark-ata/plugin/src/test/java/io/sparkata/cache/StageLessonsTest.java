package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.scheduler.TaskLocality;
import org.junit.jupiter.api.Test;

class StageLessonsTest {
  private static final List<Executor> EXECUTORS =
      List.of(
          new Executor("fast", "host", /* slots= */ 1, 1L << 30, Device.CPU),
          new Executor("slow", "host", /* slots= */ 1, 1L << 30, Device.CPU));

  private final StageLessons lessons = new StageLessons();

  /** Adds a stage of two tasks; the slow executor takes four times as long for the same bytes. */
  private Reads add(List<Integer> rdds, long bytes) {
    CachedStage stage = new CachedStage(rdds, rdds, rdds, "rows", /* partitions= */ 2);
    stage.add("fast", /* seconds= */ 1, bytes);
    stage.add("slow", /* seconds= */ 4, bytes);
    return lessons.add(stage, EXECUTORS).orElse(null);
  }

  /** Of {@code KMeans}: its rows are read before there are norms. */
  @Test
  void add_otherRddsWithTheOldest_countForIt() {
    assertThat(add(List.of(1), 1000)).as("cold JVMs").isNull();
    assertThat(add(List.of(1), 1000).canBePlanned()).as("two stages").isFalse();
    Reads reads = add(List.of(1, 5), 3000);

    assertThat(reads.stages()).isEqualTo(1);
    assertThat(reads.isRead(3)).isTrue();
    assertThat(reads.canBePlanned()).isTrue();
    assertThat(reads.lately()).hasSize(2);
    assertThat(reads.lately())
        .allSatisfy(of -> assertThat(of.perWeight().get("slow")).isEqualTo(4));
  }

  @Test
  void add_firstStageOfAnRddOnWarmJvms_teaches() {
    add(List.of(1), 1000);
    add(List.of(1), 1000);

    assertThat(add(List.of(5), 1000).lately()).hasSize(1);
  }

  /** Another executor comes for each: there is no stage that teaches. */
  @Test
  void add_stagesOnColdJvmsOnly_cannotBePlanned() {
    Reads reads = null;
    for (int stages = 1; stages <= 4; stages++) {
      CachedStage stage =
          new CachedStage(List.of(1), List.of(1), List.of(1), "rows", /* partitions= */ stages);
      List<Executor> live = new ArrayList<>();
      for (int executor = 1; executor <= stages; executor++) {
        stage.add("" + executor, /* seconds= */ 1, /* bytes= */ 1000);
        live.add(new Executor("" + executor, "host", /* slots= */ 1, 1L << 30, Device.CPU));
      }
      reads = lessons.add(stage, live).orElse(null);
    }

    assertThat(reads.isRead(4)).isTrue();
    assertThat(reads.lately()).isEmpty();
    assertThat(reads.canBePlanned()).isFalse();
  }

  /** Second attempts have done all its tasks; another such executor is gone. */
  @Test
  void add_executorThatHasDoneNoTask_countsAsSlow() {
    for (int stages = 1; stages <= 3; stages++) {
      CachedStage stage =
          new CachedStage(List.of(1), List.of(1), List.of(1), "rows", /* partitions= */ 2);
      stage.begins(CachedStageTest.attempt(1, "slow", TaskLocality.PROCESS_LOCAL(), false));
      stage.begins(CachedStageTest.attempt(2, "gone", TaskLocality.PROCESS_LOCAL(), false));
      stage.add("fast", /* seconds= */ 1, /* bytes= */ 0);
      stage.ended(CachedStageTest.LAUNCHED + 3000);
      lessons.add(stage, EXECUTORS);
    }

    StageSpeeds speeds = lessons.speeds();
    assertThat(speeds.isKnown("slow")).isFalse();
    assertThat(speeds.slowness("slow") / speeds.slowness("fast")).isEqualTo(6);
    assertThat(speeds.slowness("gone")).isEqualTo(speeds.slowness("fast"));
  }

  @Test
  void forget_oldest_countsAnew() {
    add(List.of(1), 1000);
    add(List.of(1), 1000);
    lessons.forget(1);

    assertThat(add(List.of(1, 5), 1000).isRead(2)).isFalse();
  }
}
