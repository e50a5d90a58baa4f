package io.sparkata.examples;

import org.apache.spark.ml.classification.FMClassificationModel;
import org.apache.spark.ml.classification.FMClassifier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A factorisation machine of spark.ml, by the flag alone. {@code FMClassifier} calls MLlib's
 * gradient descent with both of its solvers, {@code gd} and {@code adamW}, so Spark ATA serves it.
 *
 * <pre>
 * spark-submit --master spark://host:7077 --jars spark-ata_2.13-0.1.0-SNAPSHOT.jar \
 *   --conf spark.plugins=io.sparkata.AtaPlugin --conf spark.ata.enabled=true \
 *   --conf spark.executor.defaultJavaOptions=--add-modules=jdk.incubator.vector \
 *   --class io.sparkata.examples.FactorizationMachine spark-ata-examples-0.1.0-SNAPSHOT.jar \
 *   points.libsvm
 * </pre>
 *
 * <p>Or, from the project's folder, which adds the jar, the plugin and the vector module itself:
 *
 * <pre>
 * scripts/submit --master spark://host:7077 --conf spark.ata.enabled=true \
 *   --class io.sparkata.examples.FactorizationMachine \
 *   spark-ata-examples/examples/target/scala-2.13/spark-ata-examples-0.1.0-SNAPSHOT.jar points.libsvm
 * </pre>
 */
public final class FactorizationMachine {
  private FactorizationMachine() {}

  /** Trains on a LIBSVM file with labels 0 and 1, and prints the linear weights. */
  public static void main(String[] arguments) {
    try (SparkSession spark =
        SparkSession.builder().appName("factorisation machine").getOrCreate()) {
      Dataset<Row> data = spark.read().format("libsvm").load(arguments[0]).cache();
      FMClassificationModel model =
          new FMClassifier()
              .setFactorSize(4)
              .setMaxIter(30)
              .setStepSize(0.1)
              .setMiniBatchFraction(0.5)
              .setSeed(1)
              .fit(data);
      System.out.println("weights: " + model.linear());
    }
  }
}
