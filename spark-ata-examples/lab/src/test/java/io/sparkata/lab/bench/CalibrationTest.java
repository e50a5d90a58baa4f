package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

class CalibrationTest {

  @Test
  void rowsPerSecond_localMode_isOneExecutorsRateAndLeavesNoBlock() {
    try (JavaSparkContext spark = start()) {
      Map<String, Double> rates = calibrate(spark);

      assertThat(rates).containsOnlyKeys("driver");
      assertThat(rates.get("driver")).isPositive().isFinite();
      assertThat(spark.sc().env().blockManager().master().getStorageStatus()[0].rddBlocks().size())
          .isZero();
    }
  }

  private static JavaSparkContext start() {
    return new JavaSparkContext(
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("calibration-test")
            .set("spark.ui.enabled", "false")
            .set("spark.plugins", "io.sparkata.AtaPlugin")
            .set("spark.ata.enabled", "true")
            .set("spark.ata.route", "none"));
  }

  private static Map<String, Double> calibrate(JavaSparkContext spark) {
    List<Tuple2<Object, Vector>> rows =
        IntStream.range(0, 200)
            .mapToObj(i -> new Tuple2<Object, Vector>(i % 2.0, Vectors.dense(new double[10])))
            .toList();
    JavaRDD<Tuple2<Object, Vector>> data = spark.parallelize(rows, 2);
    return Calibration.rowsPerSecond(
        data.rdd(), new LogisticGradient(), Vectors.zeros(10), /* seconds= */ 0.05);
  }
}
