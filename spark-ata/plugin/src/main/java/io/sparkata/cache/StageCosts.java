package io.sparkata.cache;

/**
 * What a stage takes on each executor, by position: of each of its {@code slots} that has a
 * partition {@code fixed} seconds, for the stage's broadcasts, and {@code perWeight} seconds for
 * each unit of weight.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StageCosts(double[] fixed, double[] perWeight, int[] slots) {
  int executors() {
    return perWeight.length;
  }
}
