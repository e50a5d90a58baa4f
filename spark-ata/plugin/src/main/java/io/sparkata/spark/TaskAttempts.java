package io.sparkata.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.ExecutorCacheTaskLocation;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.scheduler.Task;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.apache.spark.scheduler.TaskSetManager;
import scala.Option;
import scala.collection.mutable.ArrayBuffer;

/** The attempts at a stage's tasks as Spark's scheduler knows them. Driver only. */
public final class TaskAttempts {
  private TaskAttempts() {}

  /**
   * One attempt.
   *
   * @param task its index in the stage
   * @param millis how long it took, or has been running
   * @param age milliseconds since its launch
   * @param isHeld whether its executor, and no other, has cached what the task reads
   */
  public record Attempt(
      int task,
      String executorId,
      String host,
      long millis,
      long age,
      State state,
      boolean isHeld) {}

  /**
   * A second attempt.
   *
   * @param first the other one
   * @param executorId which should start it
   */
  public record Second(Attempt first, String executorId) {}

  /** How an attempt is. */
  public enum State {
    RUNNING,
    SUCCESSFUL,
    FAILED
  }

  /**
   * Offers a second attempt at a task, as Spark does with {@code spark.speculation}, but on a
   * chosen executor. The first result counts, and Spark kills the other attempt. One that its
   * executor has not started by the next call is withdrawn.
   *
   * @param choice receives the attempts of all tasks; not called while a task waits for an
   *     executor, or if the stage has ended
   */
  public static void addSecond(
      SparkContext context, StageInfo stage, Function<List<Attempt>, Optional<Second>> choice) {
    if (!(context.taskScheduler() instanceof TaskSchedulerImpl scheduler)) {
      return;
    }
    synchronized (scheduler) { // as Spark's own look for slow tasks
      Option<TaskSetManager> found =
          scheduler.taskSetManagerForAttempt(stage.stageId(), stage.attemptNumber());
      if (found.isEmpty()) {
        return;
      }
      TaskSetManager set = found.get();
      withdraw(set);
      if (!isWorkedOn(set)) {
        return;
      }
      Optional<Second> second = choice.apply(attempts(set, System.currentTimeMillis()));
      if (second.isEmpty()) {
        return;
      }
      offer(set, second.get());
    }
    scheduler.backend().reviveOffers();
  }

  private static void withdraw(TaskSetManager set) {
    set.speculatableTasks().clear();
    set.pendingSpeculatableTasks().forExecutor().clear();
    set.pendingSpeculatableTasks().all().clear();
  }

  /** Offers the task to that executor only: each executor would start what {@code all} has. */
  private static void offer(TaskSetManager set, Second second) {
    int task = second.first().task();
    ArrayBuffer<Object> ofExecutor = new ArrayBuffer<>();
    ofExecutor.$plus$eq(task);
    set.pendingSpeculatableTasks().forExecutor().put(second.executorId(), ofExecutor);
    set.speculatableTasks().add(task);
    anyDone(set).ifPresent(done -> set.pendingSpeculatableTasks().all().$plus$eq(done));
  }

  /** A task that is done, for {@code all}: Spark passes over a stage for which it is empty. */
  private static OptionalInt anyDone(TaskSetManager set) {
    return IntStream.range(0, set.numTasks()).filter(task -> set.successful()[task]).findFirst();
  }

  /** Whether each task has been started. */
  private static boolean isWorkedOn(TaskSetManager set) {
    return !set.isZombie() && !set.isBarrier() && !isWaiting(set);
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
            new Attempt(
                task,
                one.executorId(),
                one.host(),
                end - one.launchTime(),
                now - one.launchTime(),
                state,
                isHeld));
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
