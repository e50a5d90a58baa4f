package io.sparkata.lab.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the case lbfgs fits: an estimator of spark.ml and the form of its rows. Knows no Spark. */
public enum FitCase {
  LOGISTIC_DENSE("LogisticRegression"),
  LOGISTIC_SPARSE("LogisticRegression"),
  LINEAR_SVC("LinearSVC"),
  LINEAR_REGRESSION("LinearRegression"),
  MULTILAYER_PERCEPTRON("MultilayerPerceptronClassifier"),
  /** A grid search over logistic-dense: several fits, two of them at a time. */
  CROSS_VALIDATOR("CrossValidator");

  /** The values of {@code --sizes}: an evaluation is about a tenth of a second, or one. */
  static final List<String> SIZES = List.of(Workload.SMALL, Workload.LARGE);

  private final String estimator;

  FitCase(String estimator) {
    this.estimator = estimator;
  }

  /** The value of {@code --cases}. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(FitCase::id).toList();
  }

  /** The case of that name; empty if there is none. */
  static Optional<FitCase> of(String id) {
    return Arrays.stream(values()).filter(one -> one.id().equals(id)).findFirst();
  }

  /** Class of spark.ml. */
  String estimator() {
    return estimator;
  }

  /** Whether evaluations follow one another, so that the time between two means something. */
  boolean isOneFit() {
    return this != CROSS_VALIDATOR;
  }
}
