package io.sparkata.lab.conformance;

import static io.sparkata.lab.conformance.SuiteResult.GRADIENT_DESCENT;
import static io.sparkata.lab.conformance.SuiteResult.LBFGS;

import java.util.List;

/**
 * A test suite in Spark's published jars.
 *
 * @param className with its package
 * @param routes by which its tests train; Spark ATA must run rounds of each
 */
record PublishedSuite(String className, List<String> routes) {
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

  private static PublishedSuite suite(String className, String... routes) {
    return new PublishedSuite(SPARK + className, List.of(routes));
  }

  /**
   * Library and class: {@code ml.LogisticRegressionSuite}, {@code mllib.LogisticRegressionSuite}.
   */
  String name() {
    return className.replaceFirst("org\\.apache\\.spark\\.(\\w+)\\..*\\.", "$1.");
  }

  /** Whether a user means this suite: by its name, or by its class alone. */
  boolean isCalled(String text) {
    return text.equals(name()) || text.equals(className.replaceFirst(".*\\.", ""));
  }
}
