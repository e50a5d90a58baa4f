package io.sparkata.cluster;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The running tasks of each executor and their launch times, from the listener bus. Other jobs of
 * the application, and receivers of streams, may hold slots for long. The listener's thread writes,
 * the trainings' threads read.
 */
final class RunningTasks {
  private final Map<String, Map<Long, Long>> launchedMillisByExecutor = new ConcurrentHashMap<>();

  void started(String executorId, long taskId, long launchedMillis) {
    launchedMillisByExecutor
        .computeIfAbsent(executorId, unseen -> new ConcurrentHashMap<>())
        .put(taskId, launchedMillis);
  }

  void ended(String executorId, long taskId) {
    Map<Long, Long> tasks = launchedMillisByExecutor.get(executorId);
    if (tasks != null) {
      tasks.remove(taskId);
    }
  }

  void executorRemoved(String executorId) {
    launchedMillisByExecutor.remove(executorId);
  }

  /** Whether any task of any executor was launched at {@code millis} or before. */
  boolean hasAnySince(long millis) {
    return launchedMillisByExecutor.values().stream()
        .anyMatch(tasks -> countSince(tasks, millis) > 0);
  }

  /**
   * The executor's tasks that were launched at {@code millis} or before.
   *
   * @param running the number of tasks that Spark's scheduler counts there now; an end event may be
   *     late or lost
   */
  int countSince(String executorId, long millis, int running) {
    Map<Long, Long> tasks = launchedMillisByExecutor.get(executorId);
    if (tasks == null) {
      return 0;
    }
    if (running == 0) {
      tasks.values().removeIf(launched -> launched <= millis);
    }
    return Math.min(running, countSince(tasks, millis));
  }

  private static int countSince(Map<Long, Long> tasks, long millis) {
    return (int) tasks.values().stream().filter(launched -> launched <= millis).count();
  }
}
