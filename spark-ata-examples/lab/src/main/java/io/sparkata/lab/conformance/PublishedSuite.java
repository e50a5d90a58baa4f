package io.sparkata.lab.conformance;

import static io.sparkata.lab.conformance.Route.GRADIENT_DESCENT;
import static io.sparkata.lab.conformance.Route.LBFGS;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A test suite in Spark's published jars.
 *
 * @param className with its package
 * @param routes by which its tests train; Spark ATA must run rounds of each
 */
record PublishedSuite(String className, Set<Route> routes) {
  private static final String SPARK = "org.apache.spark.";

  /** All that the command runs, in this order. */
  static final List<PublishedSuite> ALL =
      List.of(
          suite("mllib.optimization.GradientDescentSuite", GRADIENT_DESCENT),
          suite("mllib.classification.SVMSuite", GRADIENT_DESCENT),
          suite("mllib.classification.SVMClusterSuite", GRADIENT_DESCENT),
          suite("ml.classification.FMClassifierSuite", GRADIENT_DESCENT),
          suite("mllib.optimization.LBFGSSuite", GRADIENT_DESCENT, LBFGS),
          suite("mllib.optimization.LBFGSClusterSuite", LBFGS),
          suite("mllib.classification.LogisticRegressionSuite", GRADIENT_DESCENT, LBFGS),
          // Its data for L-BFGS have one label only, so that nothing is trained.
          suite("mllib.classification.LogisticRegressionClusterSuite", GRADIENT_DESCENT),
          suite("ml.classification.LogisticRegressionSuite", LBFGS),
          suite("ml.classification.LinearSVCSuite", LBFGS),
          suite("ml.regression.LinearRegressionSuite", LBFGS),
          suite("ml.regression.AFTSurvivalRegressionSuite", LBFGS),
          suite("ml.classification.MultilayerPerceptronClassifierSuite", LBFGS),
          suite("ml.ann.ANNSuite", LBFGS),
          suite("ml.classification.OneVsRestSuite", LBFGS),
          suite("ml.tuning.CrossValidatorSuite", LBFGS),
          suite("ml.tuning.TrainValidationSplitSuite", LBFGS),
          // It sums over an RDD that is not persisted, which is left to Spark.
          suite("ml.optim.loss.RDDLossFunctionSuite"));

  private static PublishedSuite suite(String className, Route... routes) {
    Set<Route> set = EnumSet.noneOf(Route.class);
    set.addAll(Arrays.asList(routes));
    return new PublishedSuite(SPARK + className, set);
  }

  /**
   * Library and class: {@code ml.LogisticRegressionSuite}, {@code mllib.LogisticRegressionSuite}.
   */
  String name() {
    String library = className.substring(SPARK.length(), className.indexOf('.', SPARK.length()));
    return library + "." + simpleName();
  }

  /** Whether a user means this suite: by its name, or by its class alone. */
  boolean isCalled(String text) {
    return text.equals(name()) || text.equals(simpleName());
  }

  private String simpleName() {
    return className.substring(className.lastIndexOf('.') + 1);
  }
}
