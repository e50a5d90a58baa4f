package io.sparkata.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnknownKeysTest {
  @ParameterizedTest
  @CsvSource({
    "spark.ata.polcy, spark.ata.policy",
    "spark.ata.Policy, spark.ata.policy",
    "spark.ata.policy.sed, spark.ata.policy.seed",
    "spark.ata.rout, spark.ata.route",
    "spark.ata.mllib.route, spark.ata.route",
    "spark.ata.speedsPath, spark.ata.speeds.path",
    "spark.ata.onErr, spark.ata.onError",
    "spark.ata.enable, spark.ata.enabled",
    "spark.ata.x, spark.ata.gpu",
  })
  void in_unknownKey_namesTheNearestKnownOne(String key, String nearest) {
    assertThat(UnknownKeys.in(new SparkConf(false).set(key, "1")))
        .containsExactly(
            "Spark ATA: Invalid key: "
                + key
                + " (it has no effect; the nearest key is "
                + nearest
                + ")");
  }

  @Test
  void in_everyKnownKey_isEmpty() {
    SparkConf conf = new SparkConf(false).set("spark.atalanta", "1").set("spark.app.name", "x");
    AtaKeys.entries().forEach(entry -> conf.set(entry.key(), "anything"));

    assertThat(UnknownKeys.in(conf)).isEmpty();
  }

  @Test
  void in_several_areSorted() {
    SparkConf conf = new SparkConf(false).set("spark.ata.seed", "1").set("spark.ata.mod", "x");

    assertThat(UnknownKeys.in(conf))
        .hasSize(2)
        .isSorted()
        .first()
        .asString()
        .contains("spark.ata.mod ");
  }
}
