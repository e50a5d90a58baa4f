package io.sparkata.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskKilled;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.scheduler.TaskLocality;

/** The attempts at a stage's tasks that others have overtaken, by its events. One thread. */
final class LostAttempts {
  /** In Spark's reason for a kill. */
  private static final String OVERTAKEN = "another attempt succeeded";

  private final Map<Long, TaskInfo> running = new HashMap<>(); // by task id
  private final List<Lost> lost = new ArrayList<>();

  /**
   * An attempt at a task that another one has done sooner.
   *
   * @param task its index
   * @param seconds that it has run
   */
  record Lost(String executor, int task, double seconds) {}

  /** Adds an attempt that begins. */
  void begins(TaskInfo attempt) {
    running.put(attempt.taskId(), attempt);
  }

  /** Receives that an attempt has ended. */
  void ended(SparkListenerTaskEnd event) {
    running.remove(event.taskInfo().taskId());
    if (event.reason() instanceof TaskKilled kill && kill.reason().contains(OVERTAKEN)) {
      loses(event.taskInfo(), event.taskInfo().finishTime());
    }
  }

  /** Receives that all tasks are done, as milliseconds of the epoch: attempts that run are lost. */
  void stageEnded(long millis) {
    running.values().forEach(attempt -> loses(attempt, millis));
    running.clear();
  }

  /** Unless it had to fetch what it reads, as second attempts have. */
  private void loses(TaskInfo attempt, long end) {
    if (isLocal(attempt)) {
      double seconds = (end - attempt.launchTime()) / 1e3;
      lost.add(new Lost(attempt.executorId(), attempt.index(), seconds));
    }
  }

  /** Whether it reads where it runs. Spark calls a second attempt local wherever it ran. */
  static boolean isLocal(TaskInfo attempt) {
    return attempt.taskLocality().equals(TaskLocality.PROCESS_LOCAL()) && !attempt.speculative();
  }

  /** All so far. */
  List<Lost> all() {
    return lost;
  }
}
