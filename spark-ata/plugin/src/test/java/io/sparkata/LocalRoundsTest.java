package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestData;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.Test;

/** In local mode the driver is the one executor; its messages do not leave the JVM. */
class LocalRoundsTest {
  private static final int ITERATIONS = 20;

  /** How many rounds went by message, after a check of the model. */
  private static long train(String execution) {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("local-rounds-test")
            .set("spark.ui.enabled", "false")
            .set("spark.plugins", AtaPlugin.class.getName())
            .set("spark.ata.enabled", "true")
            .set("spark.ata.route", "none") // so that trainByMllib is MLlib
            .set("spark.ata.passThrough", "never")
            .set("spark.ata.onError", "fail")
            .set("spark.ata.report", "off")
            .set("spark.ata.execution", execution);
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      Mllib training =
          new Mllib(
              TestData.partitions(spark, TestData.rows(640, 5, false, 1), 3),
              new LogisticGradient(),
              0.5,
              ITERATIONS,
              5);
      Mllib.assertSame(training.trainBySparkAta(null), training.trainByMllib());
      assertThat(spark.statusTracker().getActiveJobIds()).isEmpty();
      return AtaRuntime.of(spark.sc()).orElseThrow().counters().residentRounds.get();
    }
  }

  @Test
  void train_resident_goesByMessage() {
    assertThat(train("resident")).isGreaterThan(ITERATIONS / 2);
  }

  @Test
  void train_auto_isJobs() {
    assertThat(train("auto")).isZero();
  }
}
