package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Executor;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.Mllib;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one training hands to the next, in local mode; across executors see SpeedsIT. */
class RememberedSpeedsTest {
  @TempDir private Path folder;

  @Test
  void train_secondTime_startsFromWhatTheFirstMeasuredAlsoForOtherWidths() throws IOException {
    try (JavaSparkContext spark = start("fallback")) {
      AtaRuntime runtime = AtaRuntime.of(spark.sc()).orElseThrow();
      SparkListeners.awaitListeners(spark.sc(), 30_000); // else its cores may not be known yet
      Executor executor = runtime.cluster().live().get(0);
      training(spark, /* features= */ 5).trainBySparkAta("adaptive");
      double nanosPerByte =
          runtime
              .speeds()
              .nanosPerByte(executor.id(), executor.host(), "logistic dense")
              .getAsDouble();

      Mllib wider = training(spark, /* features= */ 11);
      Mllib.assertSame(wider.trainBySparkAta("adaptive"), wider.trainByMllib());

      assertThat(estimateOfRoundOne(spark, 1).isMissingNode()).isTrue();
      double expected = nanosPerByte * 8 * (11 + 1) / executor.slots();
      assertThat(estimateOfRoundOne(spark, 2).asDouble())
          .isCloseTo(expected, within(1e-9 * expected));
    }
  }

  @Test
  void train_brokenFileAndOnErrorFail_throwsOnceAndLeavesTheFile() throws IOException {
    Path file = Files.writeString(folder.resolve("speeds.json"), "not ours");
    try (JavaSparkContext spark = start("fail")) {
      Mllib training = training(spark, 5);

      assertThatThrownBy(() -> training.trainBySparkAta("adaptive"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("Spark ATA: cannot read speeds from " + file.toUri())
          .hasMessageEndingWith(
              "; executors start unknown and the file stays as it is. Remove it, or set"
                  + " spark.ata.speeds.path to another file");
      assertThat(AtaRuntime.of(spark.sc()).orElseThrow().openCalls()).isZero();
      Mllib.assertSame(training.trainBySparkAta("adaptive"), training.trainByMllib());
    }
    assertThat(file).hasContent("not ours");
  }

  private JavaSparkContext start(String onError) {
    return LocalSpark.start(
        Map.of(
            "spark.ata.onError", onError,
            "spark.ata.speeds.path", folder.resolve("speeds.json").toUri().toString(),
            "spark.ata.roundLog.path", folder.toUri().toString()));
  }

  private static Mllib training(JavaSparkContext spark, int features) {
    return LocalSpark.training(spark, features, /* iterations= */ 6);
  }

  private JsonNode estimateOfRoundOne(JavaSparkContext spark, int call) throws IOException {
    Path log = folder.resolve(spark.sc().applicationId() + "-call-" + call + ".jsonl");
    JsonNode first = new ObjectMapper().readTree(Files.readAllLines(log).get(0));
    return first.get("workers").get(0).path("estimatedNanosPerSample");
  }
}
