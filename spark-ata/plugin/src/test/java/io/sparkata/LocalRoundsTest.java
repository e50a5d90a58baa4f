package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.Mllib;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** In local mode the driver is the one executor; its messages do not leave the JVM. */
class LocalRoundsTest {
  private static final int ITERATIONS = 20;

  /** How many rounds went by message, after a check of the model. */
  private static long train(String execution) {
    try (JavaSparkContext spark = LocalSpark.start(Map.of("spark.ata.execution", execution))) {
      Mllib training = LocalSpark.training(spark, /* features= */ 5, ITERATIONS);
      Mllib.assertSame(training.trainBySparkAta(null), training.trainByMllib());
      Awaitility.await().until(() -> spark.statusTracker().getActiveJobIds().length == 0);
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

  /** There is one executor. */
  @Test
  void start_local_hasNothingThatMovesCachedPartitions() {
    try (JavaSparkContext spark = LocalSpark.start(Map.of())) {
      assertThat(spark.sc().getConf().get("spark.ata.cache", "balance")).isEqualTo("balance");
      assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
          .noneMatch(name -> name.endsWith("ata-cache"));
    }
  }
}
