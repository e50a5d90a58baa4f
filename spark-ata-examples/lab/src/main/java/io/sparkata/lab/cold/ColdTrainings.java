package io.sparkata.lab.cold;

import io.sparkata.lab.bench.FitCase;
import io.sparkata.lab.bench.FitWork;
import io.sparkata.lab.bench.MadeRows;
import io.sparkata.lab.bench.Workload;
import java.util.stream.DoubleStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/** The training of each {@link ColdWork}, as a user writes it. */
final class ColdTrainings {
  private static final double REG_PARAM = 1e-4;
  private static final double STEP = 100;
  private static final long SEED = 42;

  private ColdTrainings() {}

  /**
   * The training.
   *
   * @param table the folder of a {@link FlightTable}; unused by works whose rows are made
   * @param partitions of the input
   * @param isRepartitioned whether the user writes {@code repartition} to get them
   */
  static ColdTraining of(
      ColdWork work,
      SparkSession session,
      String table,
      int partitions,
      boolean isRepartitioned,
      int iterations) {
    return switch (work) {
      case FLIGHTS ->
          new ColdTraining.Fit(
              flights(session, table, partitions, isRepartitioned),
              logistic(iterations),
              ColdTrainings::logisticWeights);
      case FLIGHTS_SGD -> {
        Dataset<Row> flights = flights(session, table, partitions, isRepartitioned);
        yield new ColdTraining.Descent(
            flights.toJavaRDD().map(row -> new Tuple2<>(row.get(0), Vectors.fromML(row.getAs(1)))),
            new LogisticGradient(),
            FlightTable.FEATURES.size(),
            STEP,
            iterations);
      }
      case LOGISTIC_DENSE ->
          new ColdTraining.Fit(
              made(FitCase.LOGISTIC_DENSE, session, partitions),
              logistic(iterations),
              ColdTrainings::logisticWeights);
      case LINEAR_SVC ->
          new ColdTraining.Fit(
              made(FitCase.LINEAR_SVC, session, partitions),
              new LinearSVC().setMaxIter(iterations).setTol(0).setRegParam(REG_PARAM),
              ColdTrainings::svcWeights);
      case OWN_GRADIENT -> {
        Workload rows = MadeRows.of(MadeRows.DENSE, Workload.LARGE, /* fraction= */ 1, SEED);
        JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
        yield new ColdTraining.Descent(
            rows.on(context).apply(partitions),
            rows.gradient(),
            rows.start().size(),
            rows.step(),
            iterations);
      }
    };
  }

  private static Dataset<Row> flights(
      SparkSession session, String table, int partitions, boolean isRepartitioned) {
    Dataset<Row> flights = session.read().parquet(table);
    return isRepartitioned ? flights.repartition(partitions) : flights;
  }

  private static Dataset<Row> made(FitCase one, SparkSession session, int partitions) {
    return FitWork.of(one, Workload.LARGE, SEED).input(session, partitions);
  }

  private static Estimator<?> logistic(int iterations) {
    return new LogisticRegression().setMaxIter(iterations).setTol(0).setRegParam(REG_PARAM);
  }

  private static double[] logisticWeights(Transformer model) {
    LogisticRegressionModel logistic = (LogisticRegressionModel) model;
    return joined(logistic.coefficientMatrix().toArray(), logistic.interceptVector().toArray());
  }

  private static double[] svcWeights(Transformer model) {
    LinearSVCModel svc = (LinearSVCModel) model;
    Vector weights = svc.coefficients();
    return joined(weights.toArray(), new double[] {svc.intercept()});
  }

  private static double[] joined(double[] weights, double[] intercepts) {
    return DoubleStream.concat(DoubleStream.of(weights), DoubleStream.of(intercepts)).toArray();
  }
}
