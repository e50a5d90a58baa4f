package io.sparkata.examples;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.util.MLUtils;
import scala.Tuple2;

/**
 * Logistic regression in plain MLlib: the program imports nothing of Spark ATA, and {@code
 * spark.ata.enabled} turns Spark ATA on.
 *
 * <pre>
 * spark-submit --master spark://host:7077 --jars spark-ata_2.13-0.1.0-SNAPSHOT.jar \
 *   --conf spark.plugins=io.sparkata.AtaPlugin --conf spark.ata.enabled=true \
 *   --conf spark.executor.defaultJavaOptions=--add-modules=jdk.incubator.vector \
 *   --class io.sparkata.examples.LogisticByFlag spark-ata-examples-0.1.0-SNAPSHOT.jar points.libsvm
 * </pre>
 *
 * <p>Or, from the project's folder, which adds the jar, the plugin and the vector module itself:
 *
 * <pre>
 * scripts/submit --master spark://host:7077 --conf spark.ata.enabled=true \
 *   --class io.sparkata.examples.LogisticByFlag \
 *   spark-ata-examples/examples/target/scala-2.13/spark-ata-examples-0.1.0-SNAPSHOT.jar points.libsvm
 * </pre>
 */
public final class LogisticByFlag {
  private static final double STEP_SIZE = 1.0;
  private static final int ITERATIONS = 30;
  private static final double REG_PARAM = 0.01;
  private static final double MINI_BATCH_FRACTION = 0.3;

  private LogisticByFlag() {}

  /** Trains on a LIBSVM file with labels 0 and 1, and prints the weights. */
  public static void main(String[] arguments) {
    SparkConf conf = new SparkConf().setAppName("logistic regression by flag");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      JavaRDD<Tuple2<Object, Vector>> data =
          MLUtils.loadLibSVMFile(spark.sc(), arguments[0])
              .toJavaRDD()
              .map(point -> new Tuple2<Object, Vector>(point.label(), point.features()))
              .cache();
      Vector start = Vectors.zeros(data.first()._2().size());
      Vector weights =
          GradientDescent.runMiniBatchSGD(
                  data.rdd(),
                  new LogisticGradient(),
                  new SquaredL2Updater(),
                  STEP_SIZE,
                  ITERATIONS,
                  REG_PARAM,
                  MINI_BATCH_FRACTION,
                  start)
              ._1();
      System.out.println("weights: " + weights);
    }
  }
}
