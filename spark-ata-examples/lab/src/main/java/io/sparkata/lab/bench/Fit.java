package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.classification.MultilayerPerceptronClassificationModel;
import org.apache.spark.ml.classification.MultilayerPerceptronClassifier;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
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
import scala.Tuple2;

/**
 * A pipeline of one estimator of spark.ml that fits by L-BFGS. spark.ml persists what it iterates
 * over; a caller chooses the partitions of the input and whether that is cached. No tolerance ends
 * a fit: all sides do the same number of iterations.
 */
final class Fit implements Training {
  private static final double REG_PARAM = 1e-4;
  private static final double[] GRID = {1e-1, 1e-2, 1e-3, 1e-4};
  private static final int FOLDS = 3;
  private static final int PARALLELISM = 2;
  private static final int HIDDEN = 64;
  private static final int FEW_ITERATIONS = 3;

  /** Of neighbouring features. Least squares over independent ones ends within a few steps. */
  private static final double CORRELATION = 0.9;

  private final Setting setting;
  private final String estimator;
  private final String dataset;
  private final Dataset<Row> input;
  private Evaluations evaluations;

  private Fit(Setting setting, String estimator, String dataset, Dataset<Row> input) {
    this.setting = setting;
    this.estimator = estimator;
    this.dataset = dataset;
    this.input = input;
    this.evaluations = new Evaluations(setting.context().sc());
  }

  /** LogisticRegression on a table of flights. */
  static Fit ofFlights(Setting setting, Dataset<Row> flights, String dataset) {
    return new Fit(setting, "logistic-dense", "LogisticRegression, " + dataset, flights);
  }

  /**
   * An estimator on made rows. A large evaluation takes a core about a second where a row is
   * multiplied by a matrix: that of the classes or of the hidden layer. By one vector it takes a
   * twentieth, and a second would need more memory than there is.
   *
   * @param work an estimator, perhaps with {@code -small} for a tenth of the rows
   */
  static Fit ofMade(Setting setting, String work) {
    boolean isSmall = work.endsWith("-small");
    String estimator = isSmall ? work.substring(0, work.length() - "-small".length()) : work;
    int times = isSmall ? 1 : 10;
    long seed = setting.seed();
    MadeRows rows =
        switch (estimator) {
          case "logistic-dense" -> MadeRows.dense(30_000L * times, 200, /* classes= */ 100, seed);
          case "logistic-sparse" ->
              MadeRows.sparse(50_000L * times, 10_000, /* nonZeros= */ 64, /* classes= */ 20, seed);
          case "linear-svc", "linear-regression" ->
              MadeRows.dense(60_000L * times, 200, /* classes= */ 2, seed);
          case "multilayer-perceptron" ->
              MadeRows.dense(30_000L * times, 100, /* classes= */ 10, seed);
          default -> MadeRows.dense(10_000L * times, 200, /* classes= */ 50, seed);
        };
    boolean isCorrelated = estimator.equals("linear-regression");
    JavaRDD<Tuple2<Object, Vector>> made =
        rows.on(setting.context())
            .apply(setting.partitions())
            .map(row -> isCorrelated ? new Tuple2<>(row._1(), correlated(row._2())) : row);
    return new Fit(setting, estimator, estimator + ", " + rows.dataset(), frame(made));
  }

  /** Rows as spark.ml takes them: label and features. */
  static Dataset<Row> frame(JavaRDD<Tuple2<Object, Vector>> rows) {
    return SparkSession.builder()
        .getOrCreate()
        .createDataFrame(
            rows.map(row -> RowFactory.create(row._1(), row._2().asML())),
            new StructType()
                .add("label", DataTypes.DoubleType)
                .add("features", SQLDataTypes.VectorType()));
  }

  /** Each value gets a part of the one before it. */
  static Vector correlated(Vector row) {
    double[] values = ((DenseVector) row).values().clone();
    for (int i = 1; i < values.length; i++) {
      values[i] += CORRELATION * values[i - 1];
    }
    return Vectors.dense(values);
  }

  private Estimator<?> estimator(int iterations) {
    LogisticRegression logistic = new LogisticRegression().setMaxIter(iterations).setTol(0);
    return switch (estimator) {
      case "linear-svc" -> new LinearSVC().setMaxIter(iterations).setTol(0).setRegParam(REG_PARAM);
      case "linear-regression" ->
          new LinearRegression()
              .setSolver("l-bfgs")
              .setMaxIter(iterations)
              .setTol(0)
              .setRegParam(REG_PARAM);
      case "multilayer-perceptron" ->
          new MultilayerPerceptronClassifier()
              .setLayers(new int[] {100, HIDDEN, 10})
              .setMaxIter(iterations)
              .setTol(0)
              .setSeed(setting.seed());
      case "cross-validator" -> {
        ParamMap[] grid = new ParamGridBuilder().addGrid(logistic.regParam(), GRID).build();
        yield new CrossValidator()
            .setEstimator(logistic)
            .setEvaluator(new MulticlassClassificationEvaluator())
            .setEstimatorParamMaps(grid)
            .setNumFolds(FOLDS)
            .setParallelism(PARALLELISM)
            .setSeed(setting.seed());
      }
      default -> logistic.setRegParam(REG_PARAM);
    };
  }

  @Override
  public String dataset() {
    return dataset;
  }

  @Override
  public void read() {
    input.toJavaRDD().count();
  }

  @Override
  public void cache() {
    if (setting.side().isReplicated()) {
      input.persist(CachedRows.copies(setting.executors().count()));
      input.count();
    }
  }

  @Override
  public void uncache() {
    input.unpersist(/* blocking= */ true);
  }

  @Override
  public void rehearse() {
    fit(FEW_ITERATIONS);
  }

  private Transformer fit(int iterations) {
    return new Pipeline()
        .setStages(new PipelineStage[] {estimator(iterations)})
        .fit(input)
        .stages()[0];
  }

  @Override
  public Turn train() throws Exception {
    evaluations.close();
    try (Evaluations own = new Evaluations(setting.context().sc())) {
      evaluations = own;
      long millis = System.currentTimeMillis();
      long nanos = System.nanoTime();
      Fitted model = Fitted.of(fit(setting.iterations()));
      Map<String, Double> figures = new TreeMap<>();
      figures.put(Turn.CALL, (System.nanoTime() - nanos) / 1e9);
      Map<String, List<Double>> series = new TreeMap<>();
      series.put(Turn.ENDS, own.secondsSince(millis));
      series.put(Turn.LOSSES, DoubleStream.of(model.losses()).boxed().toList());
      figures.put("evaluations", (double) own.count());
      figures.put("cpuSecondsPerIteration", own.medianCpuSeconds());
      return new Turn(dataset, figures, series, model.weights());
    }
  }

  /**
   * What a fit came to; nothing for several fits.
   *
   * @param losses by iteration, the first before it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Fitted(double[] weights, double[] losses) {
    static Fitted of(Transformer model) {
      if (model instanceof LogisticRegressionModel logistic) {
        return new Fitted(
            joined(logistic.coefficientMatrix().toArray(), logistic.interceptVector().toArray()),
            logistic.summary().objectiveHistory());
      }
      if (model instanceof LinearSVCModel svc) {
        return new Fitted(
            joined(svc.coefficients().toArray(), svc.intercept()),
            svc.summary().objectiveHistory());
      }
      if (model instanceof LinearRegressionModel regression) {
        return new Fitted(
            joined(regression.coefficients().toArray(), regression.intercept()),
            regression.summary().objectiveHistory());
      }
      return model instanceof MultilayerPerceptronClassificationModel perceptron
          ? new Fitted(perceptron.weights().toArray(), perceptron.summary().objectiveHistory())
          : new Fitted(new double[0], new double[0]);
    }

    private static double[] joined(double[] weights, double... intercepts) {
      return DoubleStream.concat(DoubleStream.of(weights), DoubleStream.of(intercepts)).toArray();
    }
  }

  @Override
  public int ended() {
    return evaluations.count();
  }
}
