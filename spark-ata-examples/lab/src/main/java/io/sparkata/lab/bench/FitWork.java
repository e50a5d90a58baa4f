package io.sparkata.lab.bench;

import java.util.List;
import java.util.stream.DoubleStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.MultilayerPerceptronClassifier;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The rows of a case and what is fitted to them. No tolerance ends a fit: all sides do the same
 * number of iterations.
 *
 * @param rows made on the executors from a seed
 */
public record FitWork(FitCase one, MadeRows rows) {
  private static final String LABEL = "label";
  private static final String FEATURES = "features";
  private static final double REG_PARAM = 1e-4;
  private static final double[] GRID = {1e-1, 1e-2, 1e-3, 1e-4};
  private static final int FOLDS = 3;
  private static final int PARALLELISM = 2;
  private static final int HIDDEN = 64;

  /** Of neighbouring features. Least squares over independent ones ends within a few steps. */
  private static final double CORRELATION = 0.9;

  /** Of logistic regressions: dense, sparse, of the grid search. */
  private static final int DENSE_CLASSES = 100;

  private static final int SPARSE_CLASSES = 20;
  private static final int SEARCH_CLASSES = 50;

  /** How many times as many rows large evaluations have. */
  private static final int LARGER = 10;

  /**
   * The work of a case. Large rows are ten times as many as small ones. A large evaluation takes a
   * core about a second where a row is multiplied by a matrix: that of the classes or of the hidden
   * layer. By one vector it takes a twentieth, and a second would need more memory than there is.
   */
  public static FitWork of(FitCase one, String size, long seed) {
    int times = size.equals(Workload.SMALL) ? 1 : LARGER;
    return new FitWork(
        one,
        switch (one) {
          case LOGISTIC_DENSE -> dense(30_000L * times, 200, DENSE_CLASSES, seed);
          case LOGISTIC_SPARSE ->
              made(
                  MadeRows.SPARSE,
                  50_000L * times,
                  10_000,
                  /* nonZeros= */ 64,
                  SPARSE_CLASSES,
                  seed);
          case LINEAR_SVC, LINEAR_REGRESSION -> dense(60_000L * times, 200, /* classes= */ 2, seed);
          case MULTILAYER_PERCEPTRON -> dense(30_000L * times, 100, /* classes= */ 10, seed);
          case CROSS_VALIDATOR -> dense(10_000L * times, 200, SEARCH_CLASSES, seed);
        });
  }

  private static MadeRows dense(long rows, int features, int classes, long seed) {
    return made(MadeRows.DENSE, rows, features, /* nonZeros= */ features, classes, seed);
  }

  private static MadeRows made(
      String layout, long rows, int features, int nonZeros, int classes, long seed) {
    return new MadeRows(
        layout, /* size= */ "fit", rows, features, nonZeros, classes, /* fraction= */ 1, seed);
  }

  String dataset() {
    return rows.dataset();
  }

  /** The input, neither cached nor computed yet. */
  public Dataset<Row> input(SparkSession session, int partitions) {
    boolean isCorrelated = one == FitCase.LINEAR_REGRESSION;
    JavaRDD<Row> made =
        rows.on(JavaSparkContext.fromSparkContext(session.sparkContext()))
            .apply(partitions)
            .map(
                row ->
                    RowFactory.create(
                        row._1(), (isCorrelated ? correlated(row._2()) : row._2()).asML()));
    return session.createDataFrame(
        made,
        new StructType().add(LABEL, DataTypes.DoubleType).add(FEATURES, SQLDataTypes.VectorType()));
  }

  /** Each value gets a part of the one before it. */
  static Vector correlated(Vector row) {
    double[] values = ((DenseVector) row).values().clone();
    for (int i = 1; i < values.length; i++) {
      values[i] += CORRELATION * values[i - 1];
    }
    return Vectors.dense(values);
  }

  /** Fits; the losses by iteration, the first before it, or none for more than one fit. */
  List<Double> fit(Dataset<Row> input, int iterations) {
    return switch (one) {
      case LOGISTIC_DENSE, LOGISTIC_SPARSE ->
          losses(
              logistic(iterations).setRegParam(REG_PARAM).fit(input).summary().objectiveHistory());
      case LINEAR_SVC ->
          losses(
              new LinearSVC()
                  .setMaxIter(iterations)
                  .setTol(0)
                  .setRegParam(REG_PARAM)
                  .fit(input)
                  .summary()
                  .objectiveHistory());
      case LINEAR_REGRESSION ->
          losses(
              new LinearRegression()
                  .setSolver("l-bfgs")
                  .setMaxIter(iterations)
                  .setTol(0)
                  .setRegParam(REG_PARAM)
                  .fit(input)
                  .summary()
                  .objectiveHistory());
      case MULTILAYER_PERCEPTRON ->
          losses(
              new MultilayerPerceptronClassifier()
                  .setLayers(new int[] {rows.features(), HIDDEN, rows.classes()})
                  .setMaxIter(iterations)
                  .setTol(0)
                  .setSeed(rows.seed())
                  .fit(input)
                  .summary()
                  .objectiveHistory());
      case CROSS_VALIDATOR -> {
        search(iterations).fit(input);
        yield List.of();
      }
    };
  }

  private static LogisticRegression logistic(int iterations) {
    return new LogisticRegression().setMaxIter(iterations).setTol(0);
  }

  private CrossValidator search(int iterations) {
    LogisticRegression logistic = logistic(iterations);
    ParamMap[] grid = new ParamGridBuilder().addGrid(logistic.regParam(), GRID).build();
    return new CrossValidator()
        .setEstimator(logistic)
        .setEvaluator(new MulticlassClassificationEvaluator())
        .setEstimatorParamMaps(grid)
        .setNumFolds(FOLDS)
        .setParallelism(PARALLELISM)
        .setSeed(rows.seed());
  }

  private static List<Double> losses(double[] history) {
    return DoubleStream.of(history).boxed().toList();
  }
}
