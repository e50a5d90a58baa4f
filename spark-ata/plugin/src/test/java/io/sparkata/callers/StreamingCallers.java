package io.sparkata.callers;

import io.sparkata.testing.MicroBatches;
import io.sparkata.testing.TestData;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.classification.StreamingLogisticRegressionWithSGD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.regression.StreamingLinearAlgorithm;
import org.apache.spark.mllib.regression.StreamingLinearRegressionWithSGD;
import scala.Tuple2;

/** MLlib's streaming models: a training per micro-batch, each from the weights of the last. */
final class StreamingCallers {
  private static final int MICRO_BATCHES = 3;
  private static final int FEATURES = 8;

  private StreamingCallers() {}

  static List<Caller> all() {
    return List.of(
        caller(
            "StreamingLogisticRegressionWithSGD",
            () ->
                new StreamingLogisticRegressionWithSGD()
                    .setStepSize(0.5)
                    .setNumIterations(Caller.ITERATIONS)
                    .setRegParam(0.01)
                    .setMiniBatchFraction(0.5)
                    .setInitialWeights(Vectors.zeros(FEATURES))),
        caller(
            "StreamingLinearRegressionWithSGD",
            () ->
                new StreamingLinearRegressionWithSGD()
                    .setStepSize(0.5)
                    .setNumIterations(Caller.ITERATIONS)
                    .setConvergenceTol(0)
                    .setInitialWeights(Vectors.zeros(FEATURES))));
  }

  private static Caller caller(String name, Supplier<StreamingLinearAlgorithm<?, ?>> algorithm) {
    return new Caller(name, MICRO_BATCHES, spark -> train(spark, algorithm.get()));
  }

  private static Tuple2<Vector, double[]> train(
      JavaSparkContext spark, StreamingLinearAlgorithm<?, ?> algorithm) {
    try (MicroBatches batches =
        MicroBatches.of(
            spark,
            algorithm,
            batch ->
                Caller.labeled(
                    spark,
                    TestData.rows(150 + 50 * batch, FEATURES, /* sparse= */ false, batch)))) {
      batches.train(MICRO_BATCHES);
    }
    return LinearCallers.weightsOf(algorithm.latestModel());
  }
}
