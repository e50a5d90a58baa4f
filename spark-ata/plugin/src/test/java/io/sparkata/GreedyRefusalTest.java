package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.Mllib;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;

/** The policy greedy, which changes the model, does not run by mistake. */
class GreedyRefusalTest {
  private static final String REFUSAL =
      "Cannot use the policy 'greedy': it drops the work of slow executors";

  private static Mllib training(JavaSparkContext spark) {
    return LocalSpark.training(spark, /* features= */ 5, /* iterations= */ 6);
  }

  private static JavaSparkContext start(String policy) {
    return LocalSpark.start(Map.of("spark.ata.policy", policy, "spark.ata.onError", "fallback"));
  }

  @Test
  void start_notAcknowledged_warnsOnceAndMllibTrains() {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark = start("greedy")) {
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
    assertThatThrownBy(() -> LocalSpark.start(Map.of("spark.ata.policy", "greedy")))
        .hasMessageStartingWith(REFUSAL);
  }

  @Test
  void setPolicy_notAcknowledged_warnsOnceAndMllibTrains() {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark = start("uniform")) {
      Mllib.assertSame(training(spark).trainBySparkAta("greedy"), training(spark).trainByMllib());

      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .startsWith("Spark ATA: cannot pack the data (" + REFUSAL);
    }
  }
}
