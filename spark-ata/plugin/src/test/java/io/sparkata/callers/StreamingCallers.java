package io.sparkata.callers;

import io.sparkata.testing.TestData;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.classification.StreamingLogisticRegressionWithSGD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.mllib.regression.StreamingLinearAlgorithm;
import org.apache.spark.mllib.regression.StreamingLinearRegressionWithSGD;
import org.apache.spark.streaming.Durations;
import org.apache.spark.streaming.api.java.JavaDStream;
import org.apache.spark.streaming.api.java.JavaStreamingContext;
import org.awaitility.Awaitility;
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

  @SuppressWarnings("deprecation") // DStreams: it is they that MLlib's streaming models want
  private static Tuple2<Vector, double[]> train(
      JavaSparkContext spark, StreamingLinearAlgorithm<?, ?> algorithm) {
    Queue<JavaRDD<LabeledPoint>> queue = new ArrayDeque<>();
    for (int batch = 0; batch < MICRO_BATCHES; batch++) {
      queue.add(
          Caller.labeled(
              spark, TestData.rows(150 + 50 * batch, FEATURES, /* sparse= */ false, batch)));
    }
    AtomicInteger done = new AtomicInteger();
    JavaStreamingContext streaming = new JavaStreamingContext(spark, Durations.milliseconds(50));
    try {
      JavaDStream<LabeledPoint> stream = streaming.queueStream(queue);
      algorithm.trainOn(stream);
      // After the training of its micro-batch; empty ones follow the last.
      stream.foreachRDD(rdd -> done.incrementAndGet());
      streaming.start();
      Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> done.get() >= MICRO_BATCHES);
    } finally {
      streaming.stop(/* stopSparkContext= */ false, /* stopGracefully= */ true);
    }
    return LinearCallers.weightsOf(algorithm.latestModel());
  }
}
