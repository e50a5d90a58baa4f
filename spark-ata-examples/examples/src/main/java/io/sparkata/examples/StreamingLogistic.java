package io.sparkata.examples;

import org.apache.spark.SparkConf;
import org.apache.spark.mllib.classification.StreamingLogisticRegressionWithSGD;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.streaming.Durations;
import org.apache.spark.streaming.api.java.JavaDStream;
import org.apache.spark.streaming.api.java.JavaStreamingContext;

/**
 * Streaming logistic regression in plain MLlib: each micro-batch that has rows is one training,
 * from the last one's weights. Spark ATA keeps the executors' speeds from batch to batch.
 *
 * <pre>
 * spark-submit --master spark://host:7077 --jars spark-ata_2.13-0.1.0-SNAPSHOT.jar \
 *   --conf spark.plugins=io.sparkata.AtaPlugin --conf spark.ata.enabled=true \
 *   --conf spark.executor.defaultJavaOptions=--add-modules=jdk.incubator.vector \
 *   --class io.sparkata.examples.StreamingLogistic spark-ata-examples-0.1.0-SNAPSHOT.jar \
 *   FOLDER NUMBER_OF_FEATURES
 * </pre>
 *
 * <p>Or, from the project's folder, which adds the jar, the plugin and the vector module itself:
 *
 * <pre>
 * scripts/submit --master spark://host:7077 --conf spark.ata.enabled=true \
 *   --class io.sparkata.examples.StreamingLogistic \
 *   spark-ata-examples/examples/target/scala-2.13/spark-ata-examples-0.1.0-SNAPSHOT.jar \
 *   FOLDER NUMBER_OF_FEATURES
 * </pre>
 */
public final class StreamingLogistic {
  private StreamingLogistic() {}

  /**
   * Trains on every file that is moved into the folder, with lines such as {@code (1.0,[0.5,2.0])},
   * and prints the weights after each micro-batch. Runs until it is stopped.
   */
  @SuppressWarnings("deprecation") // MLlib's streaming models take DStreams
  public static void main(String[] arguments) throws InterruptedException {
    SparkConf conf = new SparkConf().setAppName("streaming logistic regression");
    try (JavaStreamingContext streaming = new JavaStreamingContext(conf, Durations.seconds(1))) {
      JavaDStream<LabeledPoint> points =
          streaming.textFileStream(arguments[0]).map(LabeledPoint::parse);
      StreamingLogisticRegressionWithSGD model =
          new StreamingLogisticRegressionWithSGD()
              .setStepSize(0.5)
              .setNumIterations(20)
              .setMiniBatchFraction(0.5)
              .setInitialWeights(Vectors.zeros(Integer.parseInt(arguments[1])));
      model.trainOn(points);
      points.foreachRDD(
          batch -> {
            if (!batch.isEmpty()) {
              System.out.println("weights: " + model.latestModel().weights());
            }
          });
      streaming.start();
      streaming.awaitTermination();
    }
  }
}
