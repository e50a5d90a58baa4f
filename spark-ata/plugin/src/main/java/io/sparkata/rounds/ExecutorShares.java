package io.sparkata.rounds;

import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.report.ExecutorShare;
import java.util.ArrayList;
import java.util.List;

/** What each executor did in a round, for the training's report. */
final class ExecutorShares {
  private ExecutorShares() {}

  /**
   * Shares of all live executors, in their order. Tasks of an executor run at the same time, so
   * that the longest counts.
   *
   * @param reports one per task; of executors that are gone they are left out
   */
  static List<ExecutorShare> of(Members live, List<TaskReport> reports) {
    int n = live.size();
    long[] rows = new long[n];
    long[] kernelNanos = new long[n];
    long[] fetchNanos = new long[n];
    for (TaskReport task : reports) {
      int i = live.position(task.executorId);
      if (i >= 0) {
        rows[i] += task.sampledRows;
        kernelNanos[i] = Math.max(kernelNanos[i], task.kernelNanos);
        fetchNanos[i] = Math.max(fetchNanos[i], task.fetchNanos);
      }
    }
    List<ExecutorShare> shares = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      Executor executor = live.get(i);
      shares.add(
          new ExecutorShare(
              executor.id(), executor.host(), rows[i], kernelNanos[i] / 1e9, fetchNanos[i] / 1e9));
    }
    return shares;
  }
}
