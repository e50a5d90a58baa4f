package io.sparkata.training;

import org.apache.spark.mllib.linalg.Vector;

/** Where the training loop gets its mini-batch sums from. Driver only, one thread. */
interface BatchSource extends AutoCloseable {
  /** The first job of a training: how many rows there are. */
  long countRows();

  /** Sums gradient, loss and count over the sample of {@code iteration}, counted from 1. */
  BatchSum sum(int iteration, Vector weights);

  /** Leaves nothing behind; safe to call twice. */
  @Override
  void close();
}
