package io.sparkata.examples;

import io.sparkata.AtaGradientDescent;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.mllib.util.MLUtils;
import scala.Tuple2;

/**
 * An optimizer of your own: Adam, by mini-batches of 23 rows. It runs on the driver.
 *
 * <pre>
 * spark-submit --master spark://host:7077 --jars spark-ata_2.13-0.1.0-SNAPSHOT.jar \
 *   --conf spark.plugins=io.sparkata.AtaPlugin --conf spark.ata.enabled=true \
 *   --class io.sparkata.examples.OwnUpdater spark-ata-examples-0.1.0-SNAPSHOT.jar points.libsvm
 * </pre>
 *
 * <p>Or, from the project's folder, which adds the jar and the plugin itself:
 *
 * <pre>
 * scripts/submit --master spark://host:7077 --conf spark.ata.enabled=true \
 *   --class io.sparkata.examples.OwnUpdater \
 *   spark-ata-examples/examples/target/scala-2.13/spark-ata-examples-0.1.0-SNAPSHOT.jar points.libsvm
 * </pre>
 */
public final class OwnUpdater {
  private OwnUpdater() {}

  /** Adam (arXiv 1412.6980, Algorithm 1). Holds moments: a training needs an object of its own. */
  static final class Adam extends Updater {
    private static final long serialVersionUID = 1L;
    private final double[] first;
    private final double[] second;
    private int steps;

    Adam(int weights) {
      first = new double[weights];
      second = new double[weights];
    }

    @Override
    public Tuple2<Vector, Object> compute(
        Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
      if (stepSize == 0) { // before the first round, MLlib asks for the regularisation value
        return new Tuple2<>(weights, 0.0);
      }
      steps++;
      double[] next = weights.toArray().clone();
      for (int i = 0; i < next.length; i++) {
        double slope = gradient.apply(i);
        first[i] = 0.9 * first[i] + 0.1 * slope;
        second[i] = 0.999 * second[i] + 0.001 * slope * slope;
        double mean = first[i] / (1 - Math.pow(0.9, steps));
        next[i] -= stepSize * mean / (Math.sqrt(second[i] / (1 - Math.pow(0.999, steps))) + 1e-8);
      }
      return new Tuple2<>(Vectors.dense(next), 0.0);
    }
  }

  /** Trains on a LIBSVM file and prints the weights. */
  public static void main(String[] arguments) {
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("Adam"))) {
      JavaRDD<Tuple2<Object, Vector>> data =
          MLUtils.loadLibSVMFile(spark.sc(), arguments[0])
              .toJavaRDD()
              .map(point -> new Tuple2<Object, Vector>(point.label(), point.features()))
              .cache();
      int weights = data.first()._2().size();
      AtaGradientDescent adam = new AtaGradientDescent(new LogisticGradient(), new Adam(weights));
      adam.setStepSize(0.01).setNumIterations(100).setConvergenceTol(0);
      adam.setMiniBatchFraction(Math.min(1, 23.0 / data.count()));
      System.out.println("weights: " + adam.optimize(data.rdd(), Vectors.zeros(weights)));
    }
  }
}
