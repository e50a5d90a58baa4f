package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cache.CachedStage.NotDone;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.LocalSpark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.Success$;
import org.apache.spark.TaskEndReason;
import org.apache.spark.TaskKilled;
import org.apache.spark.TaskState;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.scheduler.TaskLocality;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Enumeration;
import scala.collection.immutable.List$;

/** Which RDDs a stage reads from the cache, by the events of real stages. */
@Tag("spark")
class CachedStageTest {
  static final long LAUNCHED = 1_000_000; // milliseconds of the epoch

  private static final int PARTITIONS = 3;
  private static final Executor DRIVER =
      new Executor("driver", "host", /* slots= */ 1, 1L << 30, Device.CPU);

  private JavaSparkContext spark;
  private final List<List<Integer>> read = new ArrayList<>(); // by stage; empty if none
  private final StageLessons lessons = new StageLessons();
  private final List<List<Integer>> held = new ArrayList<>(); // by stage; empty if none
  private final List<String> names = new ArrayList<>();
  private final List<Map<String, Double>> measured = new ArrayList<>();
  private StageInfo lastStage;
  private SparkListenerTaskEnd lastTask;

  @BeforeEach
  void start() {
    spark = LocalSpark.start(Map.of());
    spark.sc().addSparkListener(new Stages());
  }

  @AfterEach
  void stop() {
    spark.close();
  }

  private final class Stages extends SparkListener {
    private CachedStage current;

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted event) {
      lastStage = event.stageInfo();
      current = lessons.begins(lastStage).orElse(null);
      read.add(current == null ? List.of() : current.rdds());
      held.add(current == null ? List.of() : current.held());
      names.add(current == null ? "" : current.name());
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd event) {
      lastTask = event;
      if (current != null) {
        current.add(event);
      }
    }

    @Override
    public void onStageCompleted(SparkListenerStageCompleted event) {
      if (current != null) {
        lessons.add(current, List.of(DRIVER));
        measured.add(current.secondsPerWeight(Map.of("driver", 1)));
      }
    }
  }

  private JavaRDD<Integer> numbers() {
    return spark.parallelize(List.of(1, 2, 3, 4, 5, 6), PARTITIONS);
  }

  private List<List<Integer>> stagesOf(JavaRDD<?> rdd) {
    read.clear();
    held.clear();
    measured.clear();
    rdd.count();
    SparkListeners.awaitListeners(spark.sc(), /* millis= */ 10_000);
    return List.copyOf(read);
  }

  @Test
  void of_nothingPersisted_isNone() {
    assertThat(stagesOf(numbers().map(one -> one + 1))).containsExactly(List.of());
  }

  @Test
  void of_persistedBehindAMap_isRead() {
    JavaRDD<Integer> numbers = numbers().cache();

    assertThat(stagesOf(numbers.map(one -> one + 1))).containsExactly(List.of(numbers.id()));
    stagesOf(numbers.map(one -> one + 1)); // from the cache, and so its task is local
    assertThat(measured).hasSize(1);
    assertThat(measured.get(0)).hasEntrySatisfying("driver", v -> assertThat(v).isPositive());
  }

  /** Spark calls a second attempt local: it is offered to one executor only. */
  @Test
  void add_secondAttempt_isNotARead() {
    JavaRDD<Integer> numbers = numbers().cache();
    stagesOf(numbers);
    stagesOf(numbers);
    CachedStage stage = lessons.begins(lastStage).orElseThrow();

    assertThat(stage.add(lastTask)).isTrue();
    assertThat(stage.add(asSecondAttempt(lastTask))).isFalse();
  }

  private static SparkListenerTaskEnd asSecondAttempt(SparkListenerTaskEnd end) {
    TaskInfo first = end.taskInfo();
    TaskInfo second =
        new TaskInfo(
            first.taskId(),
            first.index(),
            /* attemptNumber= */ 1,
            first.partitionId(),
            first.launchTime(),
            first.executorId(),
            first.host(),
            first.taskLocality(),
            /* speculative= */ true);
    second.markFinished(TaskState.FINISHED(), first.finishTime());
    return new SparkListenerTaskEnd(
        end.stageId(),
        end.stageAttemptId(),
        end.taskType(),
        end.reason(),
        second,
        end.taskExecutorMetrics(),
        end.taskMetrics());
  }

  @Test
  void name_ofALongOne_isItsStartAndTheCallersLine() {
    JavaRDD<Integer> numbers = numbers().setName("x".repeat(70) + "\nmore").cache();
    stagesOf(numbers);

    assertThat(names.get(names.size() - 1))
        .matches("x{60}\\.\\.\\. \\(parallelize at CachedStageTest\\.java:[0-9]+\\)");
  }

  /** What a persisted RDD is made from is read by the stage that computes it, and no later one. */
  @Test
  void of_persistedTwice_isTheNearerOnceThatIsComputed() {
    JavaRDD<Integer> numbers = numbers().cache();
    JavaRDD<Integer> made = numbers.map(one -> one + 1).cache();

    assertThat(stagesOf(made)).as("nothing is cached").containsExactly(List.of(made.id()));
    made.unpersist(/* blocking= */ true);
    assertThat(stagesOf(made)).containsExactly(List.of(numbers.id()));
    JavaRDD<Integer> later = numbers.map(one -> one + 2).cache();
    assertThat(stagesOf(later.filter(one -> one > 2))).containsExactly(List.of(numbers.id()));
    assertThat(held).as("move together").containsExactly(List.of(numbers.id(), later.id()));
    assertThat(stagesOf(later.filter(one -> one > 2))).containsExactly(List.of(later.id()));
    assertThat(held).containsExactly(List.of(later.id()));
    lessons.forget(later.id());
    assertThat(stagesOf(later)).as("computed again").containsExactly(List.of(numbers.id()));
  }

  @Test
  void of_zipped_areBoth() {
    JavaRDD<Integer> numbers = numbers().cache();
    JavaRDD<Integer> others = numbers().cache();

    assertThat(stagesOf(others.zip(numbers).map(pair -> pair._1() + pair._2())))
        .containsExactly(List.of(numbers.id(), others.id()));
  }

  /** Whose partitions are not the stage's. */
  @Test
  void of_unionOrCoalesced_isNone() {
    JavaRDD<Integer> numbers = numbers().cache();

    assertThat(stagesOf(numbers.union(numbers()))).containsExactly(List.of());
    assertThat(stagesOf(numbers.coalesce(2))).containsExactly(List.of());
  }

  @Test
  void of_shuffle_isReadByItsFirstStage() {
    JavaRDD<Integer> numbers = numbers().cache();

    assertThat(stagesOf(numbers.distinct(2))).containsExactly(List.of(numbers.id()), List.of());
  }

  /** The first task fetched the broadcasts. */
  @Test
  void secondsPerWeight_isTheMedianTasks_andTheRestIsFixed() {
    CachedStage stage =
        new CachedStage(List.of(7), List.of(7), List.of(7), "rows", /* partitions= */ 5);
    for (double seconds : new double[] {9, 2, 2, 1}) {
      stage.add("several", seconds, /* bytes= */ 2);
    }
    stage.add("one", /* seconds= */ 3, /* bytes= */ 12); // the mean task's: 4

    Map<String, Integer> slots = Map.of("several", 1, "one", 1);
    assertThat(stage.secondsPerWeight(slots)).isEqualTo(Map.of("several", 4.0, "one", 1.0));
    assertThat(stage.secondsPerWeight(Map.of("one", 1))).isEqualTo(Map.of("one", 1.0));
    assertThat(stage.fixedSeconds(Map.of("several", 4.0, "one", 0.5), slots))
        .isEqualTo(Map.of("several", 6.0, "one", 1.5));
    assertThat(stage.onlyTasks()).isEqualTo(Map.of("one", 3.0));
  }

  /** Two tasks waited for the broadcasts, one in each slot. */
  @Test
  void secondsPerWeight_severalSlots_isOfLaterTasks() {
    CachedStage stage =
        new CachedStage(List.of(7), List.of(7), List.of(7), "rows", /* partitions= */ 5);
    for (double seconds : new double[] {9, 9, 2}) {
      stage.add("later", seconds, /* bytes= */ 2);
    }
    for (double seconds : new double[] {9, 8}) {
      stage.add("none later", seconds, /* bytes= */ 2);
    }

    Map<String, Integer> slots = Map.of("later", 2, "none later", 2);
    assertThat(stage.secondsPerWeight(slots)).isEqualTo(Map.of("later", 2.0, "none later", 8.0));
    assertThat(stage.fixedSeconds(Map.of("later", 1.0, "none later", 1.0), slots))
        .isEqualTo(Map.of("later", 8.5, "none later", 7.5));
  }

  /** As both of its users follow stages. */
  @Test
  void listener_taskThatRunsOnWhenItsStageEnds_isNotDone() {
    JavaRDD<Integer> numbers = spark.parallelize(List.of(1, 2), /* numSlices= */ 1).cache();
    stagesOf(numbers);
    stagesOf(numbers); // from the cache
    List<CachedStage> followed = new ArrayList<>();
    CachedStageListener listener =
        new CachedStageListener() {
          @Override
          boolean isFollowed(StageInfo info, CachedStage stage) {
            return stage.rdds().contains(numbers.id());
          }

          @Override
          void completed(CachedStage stage, StageInfo info) {
            followed.add(stage);
          }
        };
    TaskInfo slow = attempt(99, "slow", TaskLocality.PROCESS_LOCAL(), /* isSecond= */ false);

    listener.onStageSubmitted(new SparkListenerStageSubmitted(lastStage, new Properties()));
    listener.onTaskStart(
        new SparkListenerTaskStart(lastStage.stageId(), /* stageAttemptId= */ 0, slow));
    listener.onTaskEnd(lastTask);
    listener.onStageCompleted(new SparkListenerStageCompleted(lastStage));

    assertThat(followed).hasSize(1);
    assertThat(followed.get(0).notDone()).containsOnlyKeys("slow");
    assertThat(followed.get(0).launched()).isEqualTo(LAUNCHED);
    assertThat(followed.get(0).secondsPerWeight(Map.of("driver", 1))).containsKey("driver");
  }

  @Test
  void notDone_executorWhoseTasksOthersHaveDone_isItsLongestTime() {
    CachedStage stage =
        new CachedStage(List.of(7), List.of(7), List.of(7), "rows", /* partitions= */ 4);
    TaskInfo overtaken = attempt(2, "overtaken", TaskLocality.PROCESS_LOCAL(), false);
    TaskInfo killed = attempt(3, "killed", TaskLocality.PROCESS_LOCAL(), false);
    stage.begins(attempt(1, "runs on", TaskLocality.PROCESS_LOCAL(), false));
    stage.begins(overtaken);
    stage.begins(killed);
    stage.begins(attempt(4, "has done one", TaskLocality.PROCESS_LOCAL(), false));
    stage.begins(attempt(5, "fetches", TaskLocality.ANY(), false));
    stage.begins(attempt(6, "second", TaskLocality.PROCESS_LOCAL(), /* isSecond= */ true));
    stage.add("has done one", /* seconds= */ 1, /* bytes= */ 0);
    stage.add(end(overtaken, kill("another attempt succeeded"), /* afterMillis= */ 3_000));
    stage.add(end(killed, kill("no room"), /* afterMillis= */ 3_000));
    stage.ended(LAUNCHED + 5_000);

    assertThat(stage.notDone())
        .isEqualTo(Map.of("runs on", new NotDone(5, 1), "overtaken", new NotDone(3, 1)));
    assertThat(stage.secondsPerWeight(Map.of("runs on", 1, "overtaken", 1))).isEmpty();
  }

  /** Another attempt has read three times the mean. */
  @Test
  void notDone_partitionsOfOtherSize_haveTheirWeight() {
    CachedStage stage =
        new CachedStage(List.of(7), List.of(7), List.of(7), "rows", /* partitions= */ 2);
    stage.begins(attempt(0, "slow", TaskLocality.PROCESS_LOCAL(), false));
    stage.add("fast", /* seconds= */ 1, /* bytes= */ 10);
    TaskInfo second = attempt(1, "fast", TaskLocality.PROCESS_LOCAL(), /* isSecond= */ true);
    SparkListenerTaskEnd done = end(second, Success$.MODULE$, /* afterMillis= */ 1_000);
    done.taskMetrics().inputMetrics().incBytesRead(30);
    stage.add(done);
    stage.ended(LAUNCHED + 6_000);

    assertThat(stage.notDone()).isEqualTo(Map.of("slow", new NotDone(6, 1.5)));
  }

  /** At task 0. */
  static TaskInfo attempt(long id, String executor, Enumeration.Value locality, boolean isSecond) {
    return new TaskInfo(
        id,
        /* index= */ 0,
        /* attemptNumber= */ isSecond ? 1 : 0,
        /* partitionId= */ 0,
        LAUNCHED,
        executor,
        "host",
        locality,
        isSecond);
  }

  private static TaskKilled kill(String reason) {
    return new TaskKilled(
        reason, List$.MODULE$.empty(), List$.MODULE$.empty(), List$.MODULE$.empty());
  }

  private static SparkListenerTaskEnd end(
      TaskInfo attempt, TaskEndReason reason, long afterMillis) {
    attempt.markFinished(
        reason instanceof TaskKilled ? TaskState.KILLED() : TaskState.FINISHED(),
        LAUNCHED + afterMillis);
    return new SparkListenerTaskEnd(
        /* stageId= */ 1,
        /* stageAttemptId= */ 0,
        "ResultTask",
        reason,
        attempt,
        /* taskExecutorMetrics= */ null,
        new TaskMetrics());
  }
}
