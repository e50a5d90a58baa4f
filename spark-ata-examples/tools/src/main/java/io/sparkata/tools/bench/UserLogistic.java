package io.sparkata.tools.bench;

import org.apache.spark.mllib.optimization.LogisticGradient;

/** MLlib's multinomial loss as a user's own class, which Spark ATA too computes row by row. */
final class UserLogistic extends LogisticGradient {
  private static final long serialVersionUID = 1L;

  UserLogistic(int classes) {
    super(classes);
  }
}
