package io.sparkata.rounds;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one task did, for the round log, the report and the fetch rates. Times in nanoseconds. */
public final class TaskReport implements Serializable {
  private static final long serialVersionUID = 1L;

  public final String executorId;
  public long rows;
  public long sampledRows;
  public long kernelNanos;
  public long fetchNanos;
  public long fetchedBytes;
  public int fetchedBlocks;
  public int keptBlocks;
  public int movedBlocks;
  public long movedBytes;
  public long coldBytes;
  public long movedNanos;

  public TaskReport(String executorId) {
    this.executorId = executorId;
  }

  /** One report per executor: the sums over its tasks. */
  public static List<TaskReport> byExecutor(List<TaskReport> tasks) {
    Map<String, TaskReport> totals = new LinkedHashMap<>();
    for (TaskReport task : tasks) {
      totals.computeIfAbsent(task.executorId, TaskReport::new).add(task);
    }
    return List.copyOf(totals.values());
  }

  /** What a trial fetched: its rows do not count, and no round waited for it. */
  public TaskReport ofTrial() {
    TaskReport moved = new TaskReport(executorId);
    moved.movedBlocks = keptBlocks;
    moved.movedBytes = fetchedBytes;
    moved.coldBytes = fetchedBytes; // not for the rate
    return moved;
  }

  /** Adds another task's figures. */
  public void add(TaskReport other) {
    rows += other.rows;
    sampledRows += other.sampledRows;
    kernelNanos += other.kernelNanos;
    fetchNanos += other.fetchNanos;
    fetchedBytes += other.fetchedBytes;
    fetchedBlocks += other.fetchedBlocks;
    keptBlocks += other.keptBlocks;
    movedBlocks += other.movedBlocks;
    movedBytes += other.movedBytes;
    coldBytes += other.coldBytes;
    movedNanos += other.movedNanos;
  }
}
