package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.TaskAttempts.Attempt;
import io.sparkata.spark.TaskAttempts.State;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which tasks get a second attempt. */
class SecondAttemptsTest {
  private static final Set<String> NONE = Set.of();

  @Test
  void slow_beforeAnyTaskHasEnded_isNone() {
    assertThat(SecondAttempts.slow(List.of(running(0, "a", 9000), running(1, "b", 9000)), NONE))
        .isEmpty();
  }

  @Test
  void slow_oneAndAHalfTimesTheMedian_isTheTask() {
    Attempt slow = running(2, "c", 1500);
    assertThat(SecondAttempts.slow(List.of(done(0, "a", 800), done(1, "b", 1000), slow), NONE))
        .contains(running(2, "c", 1500));
    assertThat(SecondAttempts.slow(List.of(done(0, "a", 1001), slow), NONE)).isEmpty();
  }

  @Test
  void slow_underHalfASecond_isNone() {
    assertThat(SecondAttempts.slow(List.of(done(0, "a", 10), running(1, "b", 499)), NONE))
        .isEmpty();
    assertThat(SecondAttempts.slow(List.of(done(0, "a", 10), running(1, "b", 500)), NONE))
        .isPresent();
  }

  @Test
  void slow_severalTasks_isTheLongest() {
    List<Attempt> attempts =
        List.of(done(0, "a", 400), running(1, "b", 2000), running(2, "c", 3000));
    assertThat(SecondAttempts.slow(attempts, NONE)).contains(running(2, "c", 3000));
  }

  @Test
  void slow_executorThatWasOvertaken_doesNotWaitForTheMedian() {
    List<Attempt> attempts =
        List.of(done(0, "a", 1000), running(1, "b", 600), running(2, "c", 2000));
    assertThat(SecondAttempts.slow(attempts, Set.of("b"))).contains(running(1, "b", 600));
  }

  @Test
  void slow_partitionThatOnlyItsExecutorHas_isNone() {
    Attempt held = new Attempt(1, "b", 9000, State.RUNNING, /* isHeld= */ true);
    assertThat(SecondAttempts.slow(List.of(done(0, "a", 1000), held), NONE)).isEmpty();
  }

  @Test
  void slow_taskWithTwoAttempts_isNone() {
    List<Attempt> attempts =
        List.of(done(0, "a", 1000), running(1, "a", 100), running(1, "b", 9000));
    assertThat(SecondAttempts.slow(attempts, NONE)).isEmpty();
  }

  @Test
  void slow_taskWhoseFirstAttemptFailed_isTheTask() {
    Attempt failed = new Attempt(1, "a", 100, State.FAILED, /* isHeld= */ false);
    assertThat(
            SecondAttempts.slow(List.of(done(0, "a", 1000), failed, running(1, "b", 9000)), NONE))
        .contains(running(1, "b", 9000));
  }

  @ParameterizedTest
  @CsvSource({
    "org.apache.spark.rdd.RDD.treeAggregate(RDD.scala:1),org.apache.spark.ml.stat.Summarizer$.x,true",
    "org.apache.spark.sql.Dataset.first(D.scala:1),org.apache.spark.ml.feature.StandardScaler.fit,true",
    "org.apache.spark.rdd.RDD.count(RDD.scala:1),org.apache.spark.mllib.clustering.KMeans.run,true",
    "org.apache.spark.rdd.RDD.count(RDD.scala:1),com.example.App.main,false",
    "org.apache.spark.rdd.RDD.count(RDD.scala:1),com.example.org.apache.spark.ml.App.main,false",
    "org.apache.spark.rdd.RDD.saveAsTextFile(RDD.scala:1),org.apache.spark.ml.x,false",
    "org.apache.spark.sql.DataFrameWriter.parquet(W.scala:1),org.apache.spark.ml.x,false",
    "org.apache.spark.rdd.RDD.collect(RDD.scala:1),org.apache.spark.ml.util.X.save,false",
    "io.sparkata.App.main,org.apache.spark.ml.x,false",
  })
  void isOurs_byTheCaller(String called, String caller, boolean isOurs) {
    String details = called + "\n" + caller + "(X.scala:2)\ncom.example.App.main(App.java:3)";
    assertThat(SecondAttempts.isOurs(TaskEvents.stage(1, details, "an RDD", 7))).isEqualTo(isOurs);
  }

  @Test
  void isOurs_packing_byTheNameOfTheRdd() {
    assertThat(SecondAttempts.isOurs(TaskEvents.stage(1, "X.train", "Spark ATA packing", 7)))
        .isTrue();
    assertThat(SecondAttempts.isOurs(TaskEvents.stage(1, "X.train", "an RDD", 7))).isFalse();
  }

  private static Attempt running(int task, String executor, long millis) {
    return new Attempt(task, executor, millis, State.RUNNING, /* isHeld= */ false);
  }

  private static Attempt done(int task, String executor, long millis) {
    return new Attempt(task, executor, millis, State.SUCCESSFUL, /* isHeld= */ false);
  }
}
