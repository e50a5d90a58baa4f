package io.sparkata.cache;

/**
 * What a stage takes on each executor, by position, with all of its slots: {@code fixed} seconds if
 * it has a partition, for the stage's broadcasts, and {@code perWeight} seconds for each unit of
 * weight.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StageCosts(double[] fixed, double[] perWeight) {
  int executors() {
    return perWeight.length;
  }
}
