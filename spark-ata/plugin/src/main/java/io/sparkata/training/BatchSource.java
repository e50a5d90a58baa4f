package io.sparkata.training;

import org.apache.spark.mllib.linalg.Vector;

/** Gives the training loop its mini-batch sums. Driver only, one thread. */
interface BatchSource extends AutoCloseable {
  /** Counts the rows, by the first job of a training. */
  long countRows();

  /** Sums gradient, loss and count over the sample of {@code iteration}, counted from 1. */
  BatchSum sum(int iteration, Vector weights);

  /** Releases everything; safe to call twice. */
  @Override
  void close();
}
