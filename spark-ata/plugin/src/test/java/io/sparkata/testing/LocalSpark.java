package io.sparkata.testing;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Contexts in local mode with two slots. One JVM holds one context. */
public final class LocalSpark {
  private LocalSpark() {}

  /**
   * With Spark ATA on, which fails a training rather than falling back; {@code settings} override.
   */
  public static JavaSparkContext start(Map<String, String> settings) {
    Map<String, String> all =
        new HashMap<>(
            Map.of(
                "spark.plugins", "io.sparkata.AtaPlugin",
                "spark.ata.enabled", "true",
                "spark.ata.route", "none", // so that trainByMllib is MLlib
                "spark.ata.passThrough", "never",
                "spark.ata.onError", "fail",
                "spark.ata.report", "off"));
    all.putAll(settings);
    return startPlain(all);
  }

  /** Without the plugin, unless {@code settings} name it. */
  public static JavaSparkContext startPlain(Map<String, String> settings) {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("spark-ata-test")
            .set("spark.sql.shuffle.partitions", "2") // 200 cost half of a fit's time
            .set("spark.ui.enabled", "false");
    settings.forEach(conf::set);
    return new JavaSparkContext(conf);
  }

  /** A training on 640 rows, half of them in each iteration. */
  public static Mllib training(JavaSparkContext spark, int features, int iterations) {
    return Mllib.logistic(spark, 640, features, /* partitions= */ 3, iterations);
  }
}
