package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestData;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.Test;

/** The policy greedy, which changes the model, does not run by mistake. */
class GreedyRefusalTest {
  private static final String REFUSAL =
      "Cannot use the policy 'greedy': it drops the work of slow executors";

  private static JavaSparkContext start(Map<String, String> settings) {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("greedy-refusal-test")
            .set("spark.ui.enabled", "false")
            .set("spark.plugins", AtaPlugin.class.getName())
            .set("spark.ata.enabled", "true")
            .set("spark.ata.route", "none") // so that trainByMllib is MLlib
            .set("spark.ata.passThrough", "never")
            .set("spark.ata.report", "off");
    settings.forEach(conf::set);
    return new JavaSparkContext(conf);
  }

  private static Mllib training(JavaSparkContext spark) {
    return new Mllib(
        TestData.partitions(spark, TestData.rows(640, 5, false, 1), 3),
        new LogisticGradient(),
        0.5,
        6,
        5);
  }

  @Test
  void start_notAcknowledged_warnsOnceAndMllibTrains() {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark = start(Map.of("spark.ata.policy", "greedy"))) {
      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .startsWith("Spark ATA: cannot start (" + REFUSAL)
          .contains("spark.ata.greedy.acknowledged=true");
      Mllib.assertSame(training(spark).trainBySparkAta(null), training(spark).trainByMllib());
    }
  }

  @Test
  void start_notAcknowledgedAndToFail_throws() {
    Map<String, String> settings =
        Map.of("spark.ata.policy", "greedy", "spark.ata.onError", "fail");

    assertThatThrownBy(() -> start(settings)).hasMessageStartingWith(REFUSAL);
  }

  @Test
  void setPolicy_notAcknowledged_warnsOnceAndMllibTrains() {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark = start(Map.of("spark.ata.policy", "uniform"))) {
      Mllib.assertSame(training(spark).trainBySparkAta("greedy"), training(spark).trainByMllib());

      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .startsWith("Spark ATA: cannot pack the data (" + REFUSAL);
    }
  }
}
