package io.sparkata.callers;

import io.sparkata.testing.TestData;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.classification.FMClassificationModel;
import org.apache.spark.ml.classification.FMClassifier;
import org.apache.spark.ml.classification.MultilayerPerceptronClassificationModel;
import org.apache.spark.ml.classification.MultilayerPerceptronClassifier;
import org.apache.spark.ml.classification.OneVsRest;
import org.apache.spark.ml.classification.OneVsRestModel;
import org.apache.spark.ml.evaluation.RegressionEvaluator;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.FMRegressionModel;
import org.apache.spark.ml.regression.FMRegressor;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Tuple2;

/** spark.ml's factorisation machines and perceptrons, alone and several at once. */
final class DataFrameCallers {
  private static final int FEATURES = 6;
  private static final int CLASSES = 3;
  private static final int ROWS = 300;

  private DataFrameCallers() {}

  static List<Caller> all() {
    List<Caller> callers = new ArrayList<>();
    for (String solver : List.of("gd", "adamW")) {
      callers.add(
          new Caller(
              "FMClassifier, " + solver,
              1,
              spark -> weightsOf(classifier(solver).fit(rows(spark, /* classes= */ 2)))));
      callers.add(
          new Caller(
              "FMRegressor, " + solver,
              1,
              spark -> weightsOf(regressor(solver).fit(rows(spark, /* classes= */ 2)))));
    }
    // Partitions of 30, 0, 150 and 120 rows: several blocks of 32 each, last ones shorter.
    for (int rowsPerBlock : new int[] {32, 128}) {
      callers.add(
          new Caller(
              "MultilayerPerceptronClassifier, gd, blocks of " + rowsPerBlock,
              1,
              spark -> perceptron(spark, rowsPerBlock)));
    }
    callers.add(
        new Caller("OneVsRest of FMClassifier, two at once", CLASSES, DataFrameCallers::oneVsRest));
    callers.add(
        new Caller(
            "CrossValidator of FMRegressor, two at once",
            2 * 2 + 1,
            DataFrameCallers::crossValidated));
    return callers;
  }

  private static Dataset<Row> rows(JavaSparkContext spark, int classes) {
    List<Tuple2<Object, Vector>> rows = TestData.rows(ROWS, FEATURES, /* sparse= */ false, 8);
    return SparkSession.builder()
        .getOrCreate()
        .createDataFrame(
            TestData.unequalPartitions(spark, rows, Caller.sizes(ROWS))
                .toJavaRDD()
                .map(
                    row -> {
                      double extra = classes > 2 && row._2().apply(0) > 0.3 ? 1 : 0;
                      return RowFactory.create((Double) row._1() + extra, row._2().asML());
                    }),
            new StructType()
                .add("label", DataTypes.DoubleType)
                .add("features", SQLDataTypes.VectorType()));
  }

  private static FMClassifier classifier(String solver) {
    return new FMClassifier()
        .setSolver(solver)
        .setFactorSize(3)
        .setMaxIter(Caller.ITERATIONS)
        .setStepSize(0.1)
        .setRegParam(0.01)
        .setMiniBatchFraction(0.5)
        .setTol(0)
        .setSeed(11);
  }

  private static FMRegressor regressor(String solver) {
    return new FMRegressor()
        .setSeed(12)
        .setSolver(solver)
        .setFactorSize(3)
        .setRegParam(0.01)
        .setStepSize(0.1)
        .setMaxIter(Caller.ITERATIONS)
        .setTol(0);
  }

  private static Tuple2<Vector, double[]> weightsOf(FMClassificationModel model) {
    return new Tuple2<>(
        vector(model.factors().toArray(), model.linear().toArray(), model.intercept()),
        model.hasSummary() ? model.summary().objectiveHistory() : new double[0]);
  }

  private static Tuple2<Vector, double[]> weightsOf(FMRegressionModel model) {
    return new Tuple2<>(
        vector(model.factors().toArray(), model.linear().toArray(), model.intercept()),
        new double[0]);
  }

  private static Tuple2<Vector, double[]> perceptron(JavaSparkContext spark, int rowsPerBlock) {
    MultilayerPerceptronClassificationModel model =
        new MultilayerPerceptronClassifier()
            .setSolver("gd")
            .setLayers(new int[] {FEATURES, 5, CLASSES})
            .setMaxIter(Caller.ITERATIONS)
            .setStepSize(0.1)
            .setTol(0)
            .setBlockSize(rowsPerBlock)
            .setSeed(13)
            .fit(rows(spark, CLASSES));
    return new Tuple2<>(vector(model.weights().toArray()), model.summary().objectiveHistory());
  }

  private static Tuple2<Vector, double[]> oneVsRest(JavaSparkContext spark) {
    OneVsRestModel fitted =
        new OneVsRest()
            .setClassifier(classifier("adamW"))
            .setParallelism(2)
            .fit(rows(spark, CLASSES));
    double[] weights = {};
    double[] losses = {};
    for (Object model : fitted.models()) {
      Tuple2<Vector, double[]> one = weightsOf((FMClassificationModel) model);
      weights = joined(weights, one._1().toArray());
      losses = joined(losses, one._2());
    }
    return new Tuple2<>(Vectors.dense(weights), losses);
  }

  /** The best model's weights; each candidate's error stands for its models. */
  private static Tuple2<Vector, double[]> crossValidated(JavaSparkContext spark) {
    FMRegressor regressor = regressor("gd");
    ParamMap[] candidates =
        new ParamGridBuilder().addGrid(regressor.stepSize(), new double[] {0.05, 0.2}).build();
    CrossValidatorModel fitted =
        new CrossValidator()
            .setEstimator(regressor)
            .setEvaluator(new RegressionEvaluator())
            .setEstimatorParamMaps(candidates)
            .setNumFolds(2)
            .setParallelism(2)
            .setSeed(14)
            .fit(rows(spark, /* classes= */ 2));
    return new Tuple2<>(
        weightsOf((FMRegressionModel) fitted.bestModel())._1(), fitted.avgMetrics());
  }

  private static Vector vector(double[] factors, double[] linear, double intercept) {
    return vector(joined(joined(factors, linear), new double[] {intercept}));
  }

  private static Vector vector(double[] weights) {
    return Vectors.dense(weights);
  }

  private static double[] joined(double[] left, double[] right) {
    return DoubleStream.concat(DoubleStream.of(left), DoubleStream.of(right)).toArray();
  }
}
