package io.sparkata.lab.checks;

import java.util.Locale;

/** What check-report trains. Knows no Spark. */
enum ReportedWork {
  /** MLlib's gradient descent with a user's gradient: 30,000 x 200, 10 classes. */
  SGD,
  /** spark.ml LogisticRegression: 100,000 x 200, 60 classes. */
  LBFGS,
  /** The same by a CrossValidator of three folds and two values, two fits at a time: seven fits. */
  CROSS_VALIDATOR;

  /** As users type it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
