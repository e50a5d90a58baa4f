package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Test;

class CachingStagesTest {
  private static final int TABLE = 4;
  private static final int FOLD = 35;

  private final CachingStages stages = new CachingStages();

  /** With RDDs that Spark is to cache, and one that it is not. */
  private static StageInfo stage(int id, int... rdds) {
    StageInfo stage = TaskEvents.stage(id, rdds);
    for (int i = 0; i < rdds.length; i++) {
      RDDInfo rdd = stage.rddInfos().apply(i);
      if (rdd.id() <= FOLD) {
        rdd.storageLevel_$eq(StorageLevel.MEMORY_AND_DISK());
      }
    }
    return stage;
  }

  private boolean isCaching(StageInfo stage) {
    stages.submitted(stage);
    return stages.isCaching(stage);
  }

  @Test
  void isCaching_firstStageWithAnRdd_only() {
    assertThat(isCaching(stage(1, TABLE))).isTrue();
    assertThat(isCaching(stage(2, TABLE, 50))).isFalse();
    assertThat(isCaching(stage(3, TABLE, FOLD, 51))).as("the fold of the table").isTrue();
    assertThat(isCaching(stage(4, TABLE, FOLD, 52))).isFalse();
    assertThat(stages.found(stage(4, TABLE, FOLD, 52))).containsExactly(FOLD, TABLE);
    assertThat(stages.found(stage(3, TABLE, FOLD, 51))).containsExactly(TABLE);
    assertThat(stages.isCaching(stage(3, TABLE, FOLD))).as("while it runs").isTrue();
    assertThat(isCaching(stage(5, 53))).as("caches nothing").isFalse();
  }

  /** Such as that of {@code first}, which computes one partition. */
  @Test
  void isCaching_stageOfFewerTasks_isNot() {
    StageInfo part = stage(1, FOLD);
    part.rddInfos().apply(0).storageLevel_$eq(StorageLevel.MEMORY_ONLY());
    stages.submitted(TaskEvents.ofTasks(part, 1));
    assertThat(isCaching(stage(2, FOLD))).isTrue();
  }

  @Test
  void isCaching_unpersistedMeanwhile_isNot() {
    assertThat(isCaching(stage(1, TABLE))).isTrue();
    stages.unpersisted(TABLE);
    assertThat(stages.isCaching(stage(1, TABLE))).isFalse();
  }

  @Test
  void isCaching_persistedAnew_isAgain() {
    assertThat(isCaching(stage(1, TABLE))).isTrue();
    stages.unpersisted(TABLE);
    assertThat(isCaching(stage(2, TABLE))).isTrue();
  }
}
