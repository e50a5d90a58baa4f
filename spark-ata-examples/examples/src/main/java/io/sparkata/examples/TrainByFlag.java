package io.sparkata.examples;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.classification.SVMModel;
import org.apache.spark.mllib.classification.SVMWithSGD;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.mllib.util.MLUtils;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;

/**
 * Plain MLlib: nothing here knows Spark ATA, which the flag turns on.
 *
 * <pre>
 * spark-submit --master spark://host:7077 --jars spark-ata_2.13-0.1.0-SNAPSHOT.jar \
 *   --conf spark.plugins=io.sparkata.AtaPlugin --conf spark.ata.enabled=true \
 *   --class io.sparkata.examples.TrainByFlag spark-ata-examples-0.1.0-SNAPSHOT.jar data.libsvm
 * </pre>
 */
public final class TrainByFlag {
  private static final int ITERATIONS = 30;
  private static final double STEP = 1.0;
  private static final double REG_PARAM = 0.01;
  private static final double MINI_BATCH_FRACTION = 0.3;

  private TrainByFlag() {}

  /** Trains on a file in LIBSVM's format and prints the norm of the weights. */
  public static void main(String[] arguments) {
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("by flag"))) {
      RDD<LabeledPoint> data = MLUtils.loadLibSVMFile(spark.sc(), arguments[0]);
      data.persist(StorageLevel.MEMORY_AND_DISK());
      SVMModel model = SVMWithSGD.train(data, ITERATIONS, STEP, REG_PARAM, MINI_BATCH_FRACTION);
      double norm = Vectors.norm(model.weights(), 2);
      System.out.println("norm of the weights: " + norm);
    }
  }
}
