package io.sparkata.examples;

import io.sparkata.AtaGradientDescent;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.BLAS;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.SimpleUpdater;
import org.apache.spark.mllib.util.MLUtils;
import scala.Tuple2;

/**
 * A loss of your own, trained by {@link AtaGradientDescent}, a subclass of MLlib's {@code
 * GradientDescent}. Your gradient runs row by row, at MLlib's speed per row.
 *
 * <pre>
 * spark-submit --master spark://host:7077 --jars spark-ata_2.13-0.1.0-SNAPSHOT.jar \
 *   --conf spark.plugins=io.sparkata.AtaPlugin --conf spark.ata.enabled=true \
 *   --conf spark.executor.defaultJavaOptions=--add-modules=jdk.incubator.vector \
 *   --class io.sparkata.examples.OwnGradient spark-ata-examples-0.1.0-SNAPSHOT.jar points.libsvm
 * </pre>
 *
 * <p>Or, from the project's folder, which adds the jar, the plugin and the vector module itself:
 *
 * <pre>
 * scripts/submit --master spark://host:7077 --conf spark.ata.enabled=true \
 *   --class io.sparkata.examples.OwnGradient \
 *   spark-ata-examples/examples/target/scala-2.13/spark-ata-examples-0.1.0-SNAPSHOT.jar points.libsvm
 * </pre>
 */
public final class OwnGradient {
  private static final double MINI_BATCH_FRACTION = 0.5;

  private OwnGradient() {}

  /** Huber's loss: squared where the error is below 1, linear above. */
  static final class HuberGradient extends Gradient {
    private static final long serialVersionUID = 1L;

    @Override
    public double compute(Vector features, double label, Vector weights, Vector sum) {
      double error = BLAS.dot(features, weights) - label;
      double clipped = Math.max(-1, Math.min(1, error));
      BLAS.axpy(clipped, features, sum);
      return clipped * error - clipped * clipped / 2;
    }
  }

  /** Trains on a LIBSVM file and prints the weights. */
  public static void main(String[] arguments) {
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("own loss"))) {
      JavaRDD<Tuple2<Object, Vector>> data =
          MLUtils.loadLibSVMFile(spark.sc(), arguments[0])
              .toJavaRDD()
              .map(point -> new Tuple2<Object, Vector>(point.label(), point.features()))
              .cache();
      Vector weights =
          new AtaGradientDescent(new HuberGradient(), new SimpleUpdater())
              .setStepSize(0.5)
              .setNumIterations(30)
              .setMiniBatchFraction(MINI_BATCH_FRACTION)
              .optimize(data.rdd(), Vectors.zeros(data.first()._2().size()));
      System.out.println("weights: " + weights);
    }
  }
}
