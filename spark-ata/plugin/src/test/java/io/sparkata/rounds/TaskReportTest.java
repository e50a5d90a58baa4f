package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskReportTest {
  @Test
  void ofTrial_whatItFetched_hasMovedAndNothingElseCounts() {
    TaskReport trial = new TaskReport("a");
    trial.rows = 10;
    trial.sampledRows = 5;
    trial.kernelNanos = 100;
    trial.fetchNanos = 200;
    trial.fetchedBlocks = 3;
    trial.fetchedBytes = 1000;
    trial.keptBlocks = 1;

    TaskReport moved = new TaskReport("a");
    moved.movedBlocks = 1;
    moved.movedBytes = 1000;
    moved.coldBytes = 1000;
    assertThat(trial.ofTrial()).usingRecursiveComparison().isEqualTo(moved);
  }
}
