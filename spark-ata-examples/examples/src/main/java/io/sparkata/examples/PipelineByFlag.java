package io.sparkata.examples;

import java.util.Arrays;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.feature.OneHotEncoder;
import org.apache.spark.ml.feature.StandardScaler;
import org.apache.spark.ml.feature.StringIndexer;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A pipeline in plain spark.ml, tuned by cross-validation, that tells which flights arrive late. It
 * imports nothing of Spark ATA; {@code spark.ata.enabled} turns Spark ATA on for every fit.
 *
 * <pre>
 * spark-submit --master spark://host:7077 --jars spark-ata_2.13-0.1.0-SNAPSHOT.jar \
 *   --conf spark.plugins=io.sparkata.AtaPlugin --conf spark.ata.enabled=true \
 *   --conf spark.executor.defaultJavaOptions=--add-modules=jdk.incubator.vector \
 *   --class io.sparkata.examples.PipelineByFlag spark-ata-examples-0.1.0-SNAPSHOT.jar \
 *   flights-2.5m.parquet
 * </pre>
 *
 * <p>Or, from the project's folder, which adds the jar, the plugin and the vector module itself:
 *
 * <pre>
 * scripts/submit --master spark://host:7077 --conf spark.ata.enabled=true \
 *   --class io.sparkata.examples.PipelineByFlag \
 *   spark-ata-examples/examples/target/scala-2.13/spark-ata-examples-0.1.0-SNAPSHOT.jar \
 *   spark-ata-examples/data/flights-2.5m.parquet
 * </pre>
 */
public final class PipelineByFlag {
  private PipelineByFlag() {}

  /** Tunes and trains on a Parquet file of flights, and prints the best model's weights. */
  public static void main(String[] arguments) {
    try (SparkSession spark = SparkSession.builder().appName("pipeline by flag").getOrCreate()) {
      Dataset<Row> flights =
          spark.read().parquet(arguments[0]).selectExpr("*", "double(delay > 15) AS label");
      var logistic = new LogisticRegression().setMaxIter(20).setFeaturesCol("scaled");
      Pipeline pipeline =
          new Pipeline()
              .setStages(
                  new PipelineStage[] {
                    new StringIndexer()
                        .setInputCol("origin")
                        .setOutputCol("airport")
                        .setHandleInvalid("keep"), // a fold may lack an airport
                    new OneHotEncoder().setInputCol("airport").setOutputCol("airports"),
                    new VectorAssembler()
                        .setInputCols(new String[] {"airports", "hour", "weekday", "distance"})
                        .setOutputCol("features"),
                    new StandardScaler().setInputCol("features").setOutputCol("scaled"),
                    logistic
                  });
      var grid =
          new ParamGridBuilder().addGrid(logistic.regParam(), new double[] {0.001, 0.1}).build();
      var tuned =
          new CrossValidator()
              .setEstimator(pipeline)
              .setEstimatorParamMaps(grid)
              .setEvaluator(new BinaryClassificationEvaluator())
              .setParallelism(2)
              .fit(flights.repartition(spark.sparkContext().defaultParallelism()).cache());
      PipelineModel best = (PipelineModel) tuned.bestModel();
      LogisticRegressionModel model = (LogisticRegressionModel) best.stages()[4];
      System.out.println("area under ROC by regParam: " + Arrays.toString(tuned.avgMetrics()));
      System.out.println("weights: " + model.coefficients());
    }
  }
}
