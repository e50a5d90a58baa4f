package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.events.TrainingLeft;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.FitData;
import io.sparkata.testing.LocalSpark;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.classification.NaiveBayes;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.Metadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fits of estimators that Spark ATA does not serve. */
@Tag("spark")
class UnservedFitsTest {
  private static final String NORMAL =
      "Spark ATA leaves fits of LinearRegression to Spark (LinearRegression.fit at"
          + " UnservedFitsTest.java:<line>): with solver=auto it solves the normal equations in one"
          + " pass over the rows. Set solver=l-bfgs";

  private final List<TrainingLeft> left = new CopyOnWriteArrayList<>();
  private JavaSparkContext spark;
  private Dataset<Row> rows;
  private Dataset<Row> described; // with the number of features

  @BeforeEach
  void start() {
    spark = LocalSpark.start(Map.of("spark.ata.route", "lbfgs"));
    SparkListeners.addListener(
        spark.sc(),
        new SparkListener() {
          @Override
          public void onOtherEvent(SparkListenerEvent event) {
            if (event instanceof TrainingLeft one) {
              left.add(one);
            }
          }
        },
        "test");
    rows = FitData.even(spark, 5, false, FitData.SMALL_BLOCKS, 300, 3).dataset();
    Metadata five = new AttributeGroup("features", 5).toMetadata();
    described = rows.withColumn("features", rows.col("features").as("features", five));
  }

  @AfterEach
  void stop() {
    spark.close();
  }

  private List<String> reasons() {
    SparkListeners.awaitListeners(spark.sc(), /* millis= */ 10_000);
    return left.stream().map(TrainingLeft::reason).toList();
  }

  private static LinearRegression linear(String solver) {
    return new LinearRegression().setSolver(solver).setMaxIter(2).setRegParam(0.1);
  }

  @Test
  void fit_anotherMethod_isSaidOncePerClass() {
    try (CapturedLog log = CapturedLog.of("io.sparkata.routing")) {
      for (int i = 0; i < 2; i++) {
        linear("auto").fit(described);
        new NaiveBayes().setModelType("gaussian").fit(rows);
      }

      assertThat(reasons()).containsExactly("OTHER_METHOD", "OTHER_METHOD");
      assertThat(log.messages(Level.INFO))
          .map(line -> line.replaceFirst(":\\d+\\)", ":<line>)"))
          .containsExactly(
              NORMAL,
              "Spark ATA leaves fits of NaiveBayes to Spark (NaiveBayes.fit at"
                  + " UnservedFitsTest.java:<line>): it trains by neither gradient descent nor"
                  + " L-BFGS. Served are AFTSurvivalRegression, FMClassifier, FMRegressor,"
                  + " LinearSVC, LogisticRegression, MultilayerPerceptronClassifier,"
                  + " and LinearRegression with solver=l-bfgs");
    }
    assertThat(left.get(0).name()).startsWith("LinearRegression.fit at UnservedFitsTest.java:");
    assertThat(left.get(0).advice()).isEqualTo("Set solver=l-bfgs");
  }

  @Test
  void fit_byLbfgs_isNone() {
    linear("l-bfgs").fit(rows);
    linear("auto").fit(rows); // is not known to be another
    linear("auto").setLoss("huber").setElasticNetParam(0).fit(rows);

    assertThat(reasons()).doesNotContain("OTHER_METHOD");
  }

  @Test
  void fit_switchedOff_isNotSaid() {
    spark.setLocalProperty("spark.ata.enabled", "false");
    linear("normal").fit(rows);

    assertThat(reasons()).isEmpty();
  }
}
