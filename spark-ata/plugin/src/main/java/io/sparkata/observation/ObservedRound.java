package io.sparkata.observation;

import io.sparkata.report.ExecutorShare;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One iteration or evaluation of MLlib.
 *
 * @param seconds from the start of its job to the end
 * @param tasks the finished tasks of its summing stage
 */
public record ObservedRound(double seconds, List<Task> tasks) {

  /** The same where rows are not counted. */
  public ObservedRound uncounted() {
    return new ObservedRound(
        seconds,
        tasks.stream()
            .map(one -> new Task(one.executor, one.host, 0, one.seconds, one.overheadSeconds))
            .toList());
  }

  /**
   * What an executor did in the round.
   *
   * @param seconds of its tasks in all
   * @param rows of them
   * @param longestSeconds of the longest task
   */
  record Work(double seconds, double rows, double longestSeconds) {
    static final Work NOTHING = new Work(0, 0, 0);

    /** How long the executor was busy, with its slots filled as they were. */
    double busySeconds(int slots) {
      return Math.max(longestSeconds, seconds / slots);
    }

    private Work plus(Work other) {
      return new Work(
          seconds + other.seconds,
          rows + other.rows,
          Math.max(longestSeconds, other.longestSeconds));
    }
  }

  /** By executor; unless rows are counted, each task is taken as one. */
  Map<String, Work> work(boolean isCounted) {
    Map<String, Work> byExecutor = new HashMap<>();
    for (Task task : tasks) {
      double rows = isCounted ? task.rows : 1;
      byExecutor.merge(task.executor, new Work(task.seconds, rows, task.seconds), Work::plus);
    }
    return byExecutor;
  }

  /**
   * The same of all live executors and those that have left since, with the seconds that the tasks
   * would take if they filled all slots. Where Spark has counted no rows, each task is taken as
   * one.
   *
   * @param live executors, by id
   * @param slots tasks that each executor runs at once
   */
  List<ExecutorShare> shares(Set<String> live, Map<String, Integer> slots) {
    Map<String, Work> work = work(tasks.stream().anyMatch(task -> task.rows > 0));
    Map<String, String> hosts = new HashMap<>();
    tasks.forEach(task -> hosts.put(task.executor, task.host));
    Set<String> executors = new TreeSet<>(live);
    executors.addAll(work.keySet());
    return executors.stream()
        .map(
            id -> {
              Work own = work.getOrDefault(id, Work.NOTHING);
              double seconds = own.seconds / slots.getOrDefault(id, 1);
              String host = hosts.getOrDefault(id, "");
              return new ExecutorShare(id, host, Math.round(own.rows), seconds, 0, 0);
            })
        .toList();
  }

  /** How long the executor was busy that was so for longest. */
  double longestSeconds(Map<String, Integer> slots) {
    return work(/* isCounted= */ false).entrySet().stream()
        .mapToDouble(one -> one.getValue().busySeconds(slots.getOrDefault(one.getKey(), 1)))
        .max()
        .orElse(0);
  }

  /**
   * A finished task.
   *
   * @param rows that it went over; 0 where Spark does not count them
   * @param seconds that it ran
   * @param overheadSeconds from its launch on the driver to its end there, besides running
   */
  public record Task(
      String executor, String host, double rows, double seconds, double overheadSeconds) {}
}
