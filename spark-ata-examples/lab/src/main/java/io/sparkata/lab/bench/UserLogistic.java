package io.sparkata.lab.bench;

import org.apache.spark.mllib.optimization.LogisticGradient;

/** MLlib's multinomial loss in a subclass, which Spark ATA computes row by row as MLlib does. */
final class UserLogistic extends LogisticGradient {
  private static final long serialVersionUID = 1L;

  UserLogistic(int classes) {
    super(classes);
  }
}
