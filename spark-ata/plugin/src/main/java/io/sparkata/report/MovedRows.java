package io.sparkata.report;

/**
 * What executors fetched from each other during a training.
 *
 * @param receivers executors that fetched any
 * @param waitedSeconds by which rounds took longer for that
 */
record MovedRows(long bytes, int receivers, double waitedSeconds) {
  static final MovedRows NONE = new MovedRows(0, 0, 0);
}
