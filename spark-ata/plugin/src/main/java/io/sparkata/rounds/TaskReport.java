package io.sparkata.rounds;

import java.io.Serializable;

/** What one sampling task did, for the round log. Times in nanoseconds. */
final class TaskReport implements Serializable {
  private static final long serialVersionUID = 1L;

  final String executorId;
  long rows;
  long sampledRows;
  long kernelNanos;
  long fetchNanos;
  long fetchedBytes;
  int fetchedBlocks;
  int keptBlocks;

  TaskReport(String executorId) {
    this.executorId = executorId;
  }

  /** Adds another task's figures. */
  void add(TaskReport other) {
    rows += other.rows;
    sampledRows += other.sampledRows;
    kernelNanos += other.kernelNanos;
    fetchNanos += other.fetchNanos;
    fetchedBytes += other.fetchedBytes;
    fetchedBlocks += other.fetchedBlocks;
    keptBlocks += other.keptBlocks;
  }
}
