package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunningTasksTest {
  private static final int MANY = 9;

  private final RunningTasks tasks = new RunningTasks();

  @Test
  void countSince_tasksOfSeveralExecutors_countsTheOldOnesOfTheOneAskedFor() {
    tasks.started("1", 10, /* launchedMillis= */ 1_000);
    tasks.started("1", 11, /* launchedMillis= */ 2_000);
    tasks.started("1", 12, /* launchedMillis= */ 3_000);
    tasks.started("2", 13, /* launchedMillis= */ 1_000);

    assertThat(tasks.countSince("1", /* millis= */ 999, MANY)).isZero();
    assertThat(tasks.countSince("1", /* millis= */ 1_000, MANY)).isEqualTo(1);
    assertThat(tasks.countSince("1", /* millis= */ 2_999, MANY)).isEqualTo(2);
    assertThat(tasks.countSince("2", /* millis= */ 2_999, MANY)).isEqualTo(1);
    assertThat(tasks.countSince("3", /* millis= */ 2_999, MANY)).isZero();
    assertThat(tasks.hasAnySince(999)).isFalse();
    assertThat(tasks.hasAnySince(1_000)).isTrue();
  }

  @Test
  void countSince_taskEnded_countsItNoMore() {
    tasks.started("1", 10, /* launchedMillis= */ 1_000);
    tasks.started("1", 11, /* launchedMillis= */ 1_000);

    tasks.ended("1", 10);
    tasks.ended("2", 11);

    assertThat(tasks.countSince("1", /* millis= */ 1_000, MANY)).isEqualTo(1);
  }

  @Test
  void countSince_executorRemoved_isZero() {
    tasks.started("1", 10, /* launchedMillis= */ 1_000);

    tasks.executorRemoved("1");
    tasks.ended("1", 10);

    assertThat(tasks.hasAnySince(1_000)).isFalse();
    assertThat(tasks.countSince("1", /* millis= */ 1_000, MANY)).isZero();
  }

  @Test
  void countSince_endsThatWereNeverHeardOf_countsNoMoreThanSparkDoes() {
    tasks.started("1", 10, /* launchedMillis= */ 1_000);
    tasks.started("1", 11, /* launchedMillis= */ 1_000);
    tasks.started("1", 12, /* launchedMillis= */ 5_000);

    assertThat(tasks.countSince("1", /* millis= */ 1_000, /* running= */ 1)).isEqualTo(1);
    assertThat(tasks.countSince("1", /* millis= */ 1_000, /* running= */ 0)).isZero();
    assertThat(tasks.hasAnySince(1_000)).as("forgotten, since Spark runs nothing there").isFalse();
    assertThat(tasks.hasAnySince(5_000)).as("may have been launched just now").isTrue();
  }
}
