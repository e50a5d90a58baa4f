package io.sparkata.rounds;

import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.report.ExecutorShare;
import java.util.ArrayList;
import java.util.List;

/** What each executor did in a round, for the training's report. */
public final class ExecutorShares {
  private ExecutorShares() {}

  /**
   * Shares of all live executors, in their order. Tasks of an executor run at the same time, so
   * that the longest counts.
   *
   * @param reports one per task; of executors that are gone they are left out
   */
  public static List<ExecutorShare> of(Members live, List<TaskReport> reports) {
    List<ExecutorShare> shares = new ArrayList<>(live.size());
    for (Executor one : live.executors()) {
      long rows = 0;
      long kernelNanos = 0;
      long fetchNanos = 0;
      long bytes = 0;
      for (TaskReport task : reports) {
        if (task.executorId.equals(one.id())) {
          rows += task.sampledRows;
          kernelNanos = Math.max(kernelNanos, task.kernelNanos);
          fetchNanos = Math.max(fetchNanos, task.fetchNanos);
          bytes += task.fetchedBytes + task.movedBytes;
        }
      }
      shares.add(
          new ExecutorShare(
              one.id(), one.host(), rows, kernelNanos / 1e9, fetchNanos / 1e9, bytes));
    }
    return shares;
  }
}
