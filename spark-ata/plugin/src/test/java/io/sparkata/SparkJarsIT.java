package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.Mllib;
import io.sparkata.testing.SparkArchive;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.io.File;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/**
 * The plugin on {@code spark.jars} alone: executors have it in a class loader below Spark's, where
 * Spark's own threads do not look.
 */
class SparkJarsIT {
  @Test
  @Tag("nightly") // DropInIT has other places of the jar
  void train_pluginInSparkJarsOnly_givesMllibsWeightsAndMovesBlocks() {
    String pluginJar = System.getProperty("ata.pluginJar");
    String withoutUs =
        Arrays.stream(SparkArchive.classPath().split(File.pathSeparator))
            .filter(entry -> !entry.contains("spark-ata"))
            .collect(Collectors.joining(File.pathSeparator));
    Map<String, String> settings =
        Map.of(
            "spark.jars", pluginJar,
            "spark.executor.extraClassPath", withoutUs,
            "spark.ata.blockSize", "16k");
    try (TestCluster cluster = TestCluster.start(settings)) {
      // The tests' classes are missing too, so the rows travel as Spark has them.
      RDD<Tuple2<Object, Vector>> rows =
          cluster.context().parallelize(TestData.rows(3000, 20, true, 1), 4).rdd();
      Mllib training = new Mllib(rows, new LogisticGradient(), 0.3, 20, 20);

      Mllib.assertSame(training.trainBySparkAta(null), training.trainByMllib());
      assertThat(cluster.counters().rounds).hasValue(21);
      assertThat(cluster.counters().keptReplicas.get()).isPositive();
      assertThat(cluster.counters().observations.get()).isPositive();
    }
  }
}
