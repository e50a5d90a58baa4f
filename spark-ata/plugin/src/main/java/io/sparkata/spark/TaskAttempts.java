package io.sparkata.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.ExecutorCacheTaskLocation;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.scheduler.Task;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.apache.spark.scheduler.TaskSetManager;
import scala.Option;

/** The attempts at a stage's tasks as Spark's scheduler knows them. Driver only. */
public final class TaskAttempts {
  private TaskAttempts() {}

  /**
   * One attempt.
   *
   * @param task its index in the stage
   * @param millis how long it took, or has been running
   * @param isHeld whether its executor, and no other, has cached what the task reads
   */
  public record Attempt(
      int task, String executorId, String host, long millis, State state, boolean isHeld) {}

  /** How an attempt is. */
  public enum State {
    RUNNING,
    SUCCESSFUL,
    FAILED
  }

  /**
   * Starts a second attempt at a task, as Spark does with {@code spark.speculation}: on the next
   * free executor of another host. The first result counts, and Spark kills the other attempt.
   *
   * @param choice receives the attempts of all tasks, and says for which task there should be one
   *     more; not called while a task waits for an executor, or if the stage has ended
   */
  public static void addSecond(
      SparkContext context, StageInfo stage, Function<List<Attempt>, Optional<Integer>> choice) {
    if (!(context.taskScheduler() instanceof TaskSchedulerImpl scheduler)) {
      return;
    }
    synchronized (scheduler) { // as Spark's own look for slow tasks
      Option<TaskSetManager> found =
          scheduler.taskSetManagerForAttempt(stage.stageId(), stage.attemptNumber());
      if (found.isEmpty() || !isWorkedOn(found.get())) {
        return;
      }
      TaskSetManager set = found.get();
      Optional<Integer> task = choice.apply(attempts(set, System.currentTimeMillis()));
      if (task.isEmpty()) {
        return;
      }
      set.addPendingTask(task.get(), /* resolveRacks= */ true, /* speculatable= */ true);
      set.speculatableTasks().add(task.get());
      context.dagScheduler().speculativeTaskSubmitted(set.tasks()[task.get()], task.get());
    }
    scheduler.backend().reviveOffers();
  }

  /** Whether each task has been started, and none waits for its second attempt. */
  private static boolean isWorkedOn(TaskSetManager set) {
    if (set.isZombie() || set.isBarrier() || isWaiting(set)) {
      return false;
    }
    for (int task = 0; task < set.numTasks(); task++) {
      if (!set.successful()[task] && set.speculatableTasks().contains(task)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a task that is not done has no attempt that runs. */
  static boolean isWaiting(TaskSetManager set) {
    for (int task = 0; task < set.numTasks(); task++) {
      if (!set.successful()[task] && set.copiesRunning()[task] == 0) {
        return true;
      }
    }
    return false;
  }

  private static List<Attempt> attempts(TaskSetManager set, long now) {
    List<Attempt> all = new ArrayList<>();
    for (int task = 0; task < set.numTasks(); task++) {
      for (TaskInfo one : Scala.each(set.taskAttempts()[task])) {
        State state = stateOf(one, set.successful()[task]);
        long end =
            one.finished() ? one.finishTime() : one.gettingResult() ? one.gettingResultTime() : now;
        boolean isHeld =
            state == State.RUNNING && holders(set.tasks()[task]).equals(Set.of(one.executorId()));
        all.add(
            new Attempt(task, one.executorId(), one.host(), end - one.launchTime(), state, isHeld));
      }
    }
    return all;
  }

  /** One whose result is on its way has done its work; others of a task that is done end soon. */
  private static State stateOf(TaskInfo attempt, boolean isTaskDone) {
    if (attempt.successful() || (attempt.running() && attempt.gettingResult())) {
      return State.SUCCESSFUL;
    }
    return attempt.running() && !isTaskDone ? State.RUNNING : State.FAILED;
  }

  /** The executors that had cached what the task reads when its stage began. */
  private static Set<String> holders(Task<?> task) {
    return Scala.stream(task.preferredLocations())
        .flatMap(
            one ->
                one instanceof ExecutorCacheTaskLocation cached
                    ? Stream.of(cached.executorId())
                    : Stream.empty())
        .collect(Collectors.toSet());
  }
}
