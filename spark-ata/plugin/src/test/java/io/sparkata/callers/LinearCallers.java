package io.sparkata.callers;

import io.sparkata.testing.TestData;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.classification.LogisticRegressionWithSGD;
import org.apache.spark.mllib.classification.SVMModel;
import org.apache.spark.mllib.classification.SVMWithSGD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.regression.GeneralizedLinearAlgorithm;
import org.apache.spark.mllib.regression.GeneralizedLinearModel;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.mllib.regression.LassoWithSGD;
import org.apache.spark.mllib.regression.LinearRegressionWithSGD;
import org.apache.spark.mllib.regression.RidgeRegressionWithSGD;
import scala.Tuple2;

/** MLlib's linear models trained WithSGD. Java reaches also what Scala keeps private[mllib]. */
final class LinearCallers {
  private static final int FEATURES = 10;
  private static final double STEP = 0.5;
  private static final double REG_PARAM = 0.01;

  private LinearCallers() {}

  static List<Caller> all() {
    return List.of(
        new Caller("SVMWithSGD", 1, spark -> run(svm(0.5), dense(spark))),
        new Caller("SVMWithSGD, cached", 1, spark -> runCached(svm(1.0), dense(spark))),
        new Caller("SVMWithSGD, intercept", 1, spark -> run(intercept(svm(1.0)), dense(spark))),
        new Caller(
            "SVMWithSGD, data not validated",
            1,
            spark -> run(svm(0.5).setValidateData(/* validateData= */ false), sparse(spark))),
        new Caller("SVMWithSGD.train", 1, LinearCallers::staticSvm),
        new Caller("LogisticRegressionWithSGD", 1, spark -> run(logistic(0.5), sparse(spark))),
        new Caller(
            "LogisticRegressionWithSGD, scaled features",
            1,
            spark -> run(logistic(1.0).setFeatureScaling(/* useScaling= */ true), dense(spark))),
        new Caller(
            "LogisticRegressionWithSGD, intercept and scaled features, cached",
            1,
            spark ->
                runCached(
                    intercept(logistic(0.5)).setFeatureScaling(/* useScaling= */ true),
                    sparse(spark))),
        new Caller("LinearRegressionWithSGD", 1, spark -> run(linear(), dense(spark))),
        new Caller(
            "LinearRegressionWithSGD, intercept, initial weights",
            1,
            spark -> run(intercept(linear()), sparse(spark), Vectors.dense(tenths()))),
        new Caller("RidgeRegressionWithSGD", 1, spark -> run(ridge(0.3), sparse(spark))),
        new Caller(
            "RidgeRegressionWithSGD, intercept",
            1,
            spark -> run(intercept(ridge(1.0)), dense(spark))),
        new Caller("LassoWithSGD", 1, spark -> run(lasso(1.0), dense(spark))),
        new Caller(
            "LassoWithSGD, intercept, cached",
            1,
            spark -> runCached(intercept(lasso(0.5)), sparse(spark))));
  }

  private static SVMWithSGD svm(double fraction) {
    return endless(new SVMWithSGD(STEP, Caller.ITERATIONS, REG_PARAM, fraction));
  }

  private static LogisticRegressionWithSGD logistic(double fraction) {
    return endless(new LogisticRegressionWithSGD(STEP, Caller.ITERATIONS, REG_PARAM, fraction));
  }

  private static LinearRegressionWithSGD linear() {
    return endless(new LinearRegressionWithSGD(STEP, Caller.ITERATIONS, 0.0, 1.0));
  }

  private static RidgeRegressionWithSGD ridge(double fraction) {
    return endless(new RidgeRegressionWithSGD(STEP, Caller.ITERATIONS, REG_PARAM, fraction));
  }

  private static LassoWithSGD lasso(double fraction) {
    return endless(new LassoWithSGD(STEP, Caller.ITERATIONS, REG_PARAM, fraction));
  }

  private static <A extends GeneralizedLinearAlgorithm<?>> A endless(A algorithm) {
    ((GradientDescent) algorithm.optimizer()).setConvergenceTol(0);
    return algorithm;
  }

  private static <M extends GeneralizedLinearModel> GeneralizedLinearAlgorithm<M> intercept(
      GeneralizedLinearAlgorithm<M> algorithm) {
    return algorithm.setIntercept(/* addIntercept= */ true);
  }

  private static double[] tenths() {
    double[] weights = new double[FEATURES];
    Arrays.fill(weights, 0.1);
    return weights;
  }

  private static JavaRDD<LabeledPoint> dense(JavaSparkContext spark) {
    return Caller.labeled(spark, TestData.rows(400, FEATURES, /* sparse= */ false, 4));
  }

  private static JavaRDD<LabeledPoint> sparse(JavaSparkContext spark) {
    return Caller.labeled(spark, TestData.rows(400, FEATURES, /* sparse= */ true, 5));
  }

  private static Tuple2<Vector, double[]> run(
      GeneralizedLinearAlgorithm<?> algorithm, JavaRDD<LabeledPoint> data) {
    return weightsOf(algorithm.run(data.rdd()));
  }

  private static Tuple2<Vector, double[]> run(
      GeneralizedLinearAlgorithm<?> algorithm, JavaRDD<LabeledPoint> data, Vector initial) {
    return weightsOf(algorithm.run(data.rdd(), initial));
  }

  private static Tuple2<Vector, double[]> runCached(
      GeneralizedLinearAlgorithm<?> algorithm, JavaRDD<LabeledPoint> data) {
    data.cache();
    try {
      return run(algorithm, data);
    } finally {
      data.unpersist();
    }
  }

  private static Tuple2<Vector, double[]> staticSvm(JavaSparkContext spark) {
    SVMModel model = SVMWithSGD.train(dense(spark).rdd(), Caller.ITERATIONS, STEP, REG_PARAM, 0.5);
    return weightsOf(model);
  }

  /** Weights and intercept in one vector; these models have no losses. */
  static Tuple2<Vector, double[]> weightsOf(GeneralizedLinearModel model) {
    double[] weights = Arrays.copyOf(model.weights().toArray(), model.weights().size() + 1);
    weights[weights.length - 1] = model.intercept();
    return new Tuple2<>(Vectors.dense(weights), new double[0]);
  }
}
