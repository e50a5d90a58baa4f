package io.sparkata.cluster;

import org.apache.spark.Success$;
import org.apache.spark.TaskEndReason;
import org.apache.spark.TaskKilled;
import org.apache.spark.TaskState;
import org.apache.spark.executor.ExecutorMetrics;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.rdd.DeterministicLevel;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.scheduler.TaskLocality;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import scala.Option;
import scala.collection.immutable.$colon$colon;
import scala.collection.immutable.List;
import scala.collection.immutable.List$;

/** Events of tasks and stages as Spark's listener bus has them. */
final class TaskEvents {
  private TaskEvents() {}

  /** A task that has ended. */
  record End(TaskInfo task, TaskEndReason reason) {}

  static End success(TaskInfo task, List<AccumulableInfo> updates) {
    return success(task, updates, /* afterMillis= */ 1);
  }

  static End success(TaskInfo task, List<AccumulableInfo> updates, long afterMillis) {
    task.markFinished(TaskState.FINISHED(), task.launchTime() + afterMillis);
    task.setAccumulables(updates);
    return new End(task, Success$.MODULE$);
  }

  static End killed(TaskInfo task, long afterMillis) {
    task.markFinished(TaskState.KILLED(), task.launchTime() + afterMillis);
    return new End(
        task,
        new TaskKilled(
            "another attempt succeeded",
            List$.MODULE$.empty(),
            List$.MODULE$.empty(),
            List$.MODULE$.empty()));
  }

  static TaskInfo task(String executor, int partition) {
    return new TaskInfo(
        /* taskId= */ 1000 + partition,
        /* index= */ partition,
        /* attemptNumber= */ 0,
        partition,
        /* launchTime= */ 1_000_000,
        executor,
        "host",
        TaskLocality.PROCESS_LOCAL(),
        /* speculative= */ false);
  }

  static SparkListenerTaskEnd event(int stage, End end) {
    return new SparkListenerTaskEnd(
        stage,
        /* stageAttemptId= */ 0,
        "ResultTask",
        end.reason(),
        end.task(),
        new ExecutorMetrics(),
        new TaskMetrics());
  }

  static StageInfo stage(int stage, int... rdds) {
    return stage(stage, /* details= */ "", "an RDD", rdds);
  }

  /** A stage with RDDs of this name, called where {@code details} says. */
  static StageInfo stage(int stage, String details, String name, int... rdds) {
    List<RDDInfo> infos = List$.MODULE$.empty();
    for (int rdd : rdds) {
      RDDInfo info =
          new RDDInfo(
              rdd,
              name,
              /* numPartitions= */ 3,
              StorageLevel.NONE(),
              /* isBarrier= */ false,
              List$.MODULE$.empty(),
              /* callSite= */ "",
              Option.empty(),
              DeterministicLevel.DETERMINATE());
      infos = new $colon$colon<>(info, infos);
    }
    return stage(stage, details, /* tasks= */ 3, infos);
  }

  /** The same stage with another number of tasks. */
  static StageInfo ofTasks(StageInfo stage, int tasks) {
    return stage(stage.stageId(), stage.details(), tasks, stage.rddInfos().toList());
  }

  private static StageInfo stage(int stage, String details, int tasks, List<RDDInfo> infos) {
    return new StageInfo(
        stage,
        /* attemptId= */ 0,
        "a stage",
        tasks,
        infos,
        List$.MODULE$.empty(),
        details,
        new TaskMetrics(),
        List$.MODULE$.empty(),
        Option.empty(),
        /* resourceProfileId= */ 0,
        /* isPushBasedShuffleEnabled= */ false,
        /* shufflePushMergerCount= */ 0);
  }

  static List<AccumulableInfo> updates(AccumulableInfo... infos) {
    List<AccumulableInfo> updates = List$.MODULE$.empty();
    for (int i = infos.length - 1; i >= 0; i--) {
      updates = new $colon$colon<>(infos[i], updates);
    }
    return updates;
  }

  static AccumulableInfo accumulated(long id, long update) {
    return info(id, Option.apply(update));
  }

  static AccumulableInfo withoutUpdate(long id) {
    return info(id, Option.empty());
  }

  private static AccumulableInfo info(long id, Option<Object> update) {
    return new AccumulableInfo(
        id,
        Option.apply("an accumulator"),
        update,
        /* value= */ Option.apply(999_999L),
        /* internal= */ false,
        /* countFailedValues= */ false,
        Option.empty());
  }
}
