package io.sparkata.callers;

import com.example.BrokenGradient;
import io.sparkata.callers.DescentSituation.BrokenUpdater;
import io.sparkata.callers.DescentSituation.UnsendableGradient;
import io.sparkata.testing.TestData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.MultilayerPerceptronClassifier;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.regression.AFTSurvivalRegression;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.mllib.classification.LogisticRegressionWithLBFGS;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LBFGS;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * A fit by L-BFGS that makes spark.ml or MLlib say or throw something.
 *
 * @param name of the situation
 * @param fit what is done
 */
record FitSituation(String name, Function<JavaSparkContext, Object> fit) implements Situation {
  private static final int FEATURES = 5;
  private static final int ROWS = 60;

  /** All, on data of so many partitions. */
  static List<FitSituation> all(int partitions) {
    Data data = new Data(partitions, TestData.rows(ROWS, FEATURES, /* sparse= */ false, 1));
    List<FitSituation> all = new ArrayList<>(said(data));
    all.addAll(refused(data));
    all.addAll(thrown(data));
    return all;
  }

  private static List<FitSituation> said(Data data) {
    return List.of(
        of("few iterations", spark -> logistic().fit(data.table(spark))),
        of("no iterations", spark -> logistic().setMaxIter(0).fit(data.table(spark))),
        of("one class", spark -> logistic().fit(data.with(1, vector(1)).only(1).table(spark))),
        of(
            "a constant feature",
            spark -> logistic().setFitIntercept(false).fit(data.constant().table(spark))),
        of("a constant number", spark -> linear().fit(data.only(1).table(spark))),
        of(
            "data that is not cached",
            spark -> {
              LogisticRegressionWithLBFGS logistic = new LogisticRegressionWithLBFGS();
              logistic.optimizer().setNumIterations(3);
              return logistic.run(
                  data.rdd(spark).map(row -> new LabeledPoint((Double) row._1(), row._2())).rdd());
            }),
        of("LBFGS", spark -> lbfgs(data, spark, new LogisticGradient(), zeros())),
        of(
            "LBFGS of data that is not cached",
            spark -> run(data.rdd(spark), new LogisticGradient(), updater(), zeros())),
        of(
            "divergence",
            spark ->
                lbfgs(data.with(1, vector(1e200)), spark, new LeastSquaresGradient(), zeros())),
        of(
            "NaN in a row of LBFGS",
            spark ->
                lbfgs(data.with(1, vector(Double.NaN)), spark, new LogisticGradient(), zeros())),
        of(
            "LBFGS of no rows",
            spark -> lbfgs(data.none(), spark, new LogisticGradient(), zeros())));
  }

  /** What spark.ml looks at before the first sum, or does not look at. */
  private static List<FitSituation> refused(Data data) {
    return List.of(
        of("label NaN", logistic(), data.with(Double.NaN, vector(1))),
        of("label 7", logistic(), data.with(7, vector(1))),
        of("NaN in a row", logistic(), data.with(1, vector(Double.NaN))),
        of("a weight below 0", logistic().setWeightCol("number"), data.with(1, vector(-10))),
        of("no rows", logistic(), data.none()),
        of("label 7 of LinearSVC", new LinearSVC(), data.with(7, vector(1))),
        of("a longer row of LinearSVC", new LinearSVC(), data.with(1, Vectors.zeros(6))),
        of("no vector of a perceptron", perceptron(FEATURES), data.with(1, null)),
        of("a longer row of a perceptron", perceptron(FEATURES), data.with(1, Vectors.zeros(6))),
        of("features unlike the layers", perceptron(FEATURES - 2), data));
  }

  private static List<FitSituation> thrown(Data data) {
    Gradient logistic = new LogisticGradient();
    return List.of(
        of("a time below 0", survival(), data.with(1, vector(-10))),
        of("gradient throws", spark -> lbfgs(data, spark, new BrokenGradient(), zeros())),
        of("gradient throws later", spark -> lbfgs(data, spark, BrokenGradient.later(), zeros())),
        of("weights too short", spark -> lbfgs(data, spark, logistic, Vectors.zeros(3))),
        of("weights too long", spark -> lbfgs(data, spark, logistic, Vectors.zeros(7))),
        of(
            "a row too short",
            spark -> lbfgs(data.with(1, Vectors.zeros(4)), spark, logistic, zeros())),
        of("a row without features", spark -> lbfgs(data.with(1, null), spark, logistic, zeros())),
        of(
            "a row that cannot be read",
            spark ->
                run(
                    data.rdd(spark).map(BrokenGradient::read).persist(StorageLevel.MEMORY_ONLY()),
                    logistic,
                    updater(),
                    zeros())),
        of(
            "updater throws",
            spark ->
                run(
                    data.rdd(spark).persist(StorageLevel.MEMORY_ONLY()),
                    logistic,
                    new BrokenUpdater(1),
                    zeros())),
        of(
            "updater throws later",
            spark ->
                run(
                    data.rdd(spark).persist(StorageLevel.MEMORY_ONLY()),
                    logistic,
                    new BrokenUpdater(5),
                    zeros())),
        of(
            "gradient cannot be sent",
            spark -> lbfgs(data, spark, new UnsendableGradient(), zeros())));
  }

  private static FitSituation of(String name, Function<JavaSparkContext, Object> fit) {
    return new FitSituation(name, fit);
  }

  private static FitSituation of(String name, Estimator<?> estimator, Data data) {
    return of(name, spark -> estimator.fit(data.table(spark)));
  }

  private static LogisticRegression logistic() {
    return new LogisticRegression().setFamily("binomial").setMaxIter(3).setRegParam(0.01);
  }

  private static LinearRegression linear() {
    return new LinearRegression().setSolver("l-bfgs").setMaxIter(3);
  }

  private static AFTSurvivalRegression survival() {
    return new AFTSurvivalRegression().setLabelCol("number").setCensorCol("label");
  }

  private static MultilayerPerceptronClassifier perceptron(int features) {
    return new MultilayerPerceptronClassifier()
        .setLayers(new int[] {features, 3, 2})
        .setMaxIter(3)
        .setSeed(13);
  }

  private static Object lbfgs(Data data, JavaSparkContext spark, Gradient gradient, Vector start) {
    return run(data.rdd(spark).persist(StorageLevel.MEMORY_ONLY()), gradient, updater(), start);
  }

  private static Object run(
      JavaRDD<Tuple2<Object, Vector>> rows, Gradient gradient, Updater updater, Vector start) {
    try {
      return LBFGS.runLBFGS(
          rows.rdd(), gradient, updater, 10, 1e-6, 5, /* regParam= */ 0.01, start);
    } finally {
      rows.unpersist(/* blocking= */ false);
    }
  }

  private static Updater updater() {
    return new SquaredL2Updater();
  }

  private static Vector zeros() {
    return Vectors.zeros(FEATURES);
  }

  private static Vector vector(double value) {
    double[] values = new double[FEATURES];
    Arrays.fill(values, value);
    return Vectors.dense(values);
  }

  @Override
  public Object train(JavaSparkContext spark) {
    return fit.apply(spark);
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * Rows, which a table has in the columns "features", "label" and "number": nine and the first
   * feature.
   *
   * @param rows (label, features)
   */
  private record Data(int partitions, List<Tuple2<Object, Vector>> rows) {
    /** With one more row in the middle. */
    Data with(double label, Vector features) {
      List<Tuple2<Object, Vector>> more = new ArrayList<>(rows);
      more.add(ROWS / 2, new Tuple2<>(label, features));
      return new Data(partitions, more);
    }

    /** With this label in all rows. */
    Data only(double label) {
      return new Data(
          partitions,
          rows.stream().map(row -> new Tuple2<Object, Vector>(label, row._2())).toList());
    }

    /** With the same first feature in all rows. */
    Data constant() {
      return new Data(
          partitions,
          rows.stream()
              .map(
                  row -> {
                    double[] values = row._2().toArray().clone();
                    values[0] = 3;
                    return new Tuple2<Object, Vector>(row._1(), Vectors.dense(values));
                  })
              .toList());
    }

    Data none() {
      return new Data(partitions, List.of());
    }

    JavaRDD<Tuple2<Object, Vector>> rdd(JavaSparkContext spark) {
      return spark.parallelize(rows, partitions);
    }

    Dataset<Row> table(JavaSparkContext spark) {
      return SparkSession.builder()
          .sparkContext(spark.sc())
          .getOrCreate()
          .createDataFrame(
              rdd(spark)
                  .map(
                      row ->
                          RowFactory.create(
                              row._2() == null ? null : row._2().asML(),
                              row._1(),
                              row._2() == null ? 1.0 : 9 + row._2().apply(0))),
              new StructType()
                  .add("features", SQLDataTypes.VectorType())
                  .add("label", DataTypes.DoubleType)
                  .add("number", DataTypes.DoubleType));
    }
  }
}
