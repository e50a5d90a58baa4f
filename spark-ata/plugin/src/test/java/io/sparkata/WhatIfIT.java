package io.sparkata;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.events.TrainingEnded;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.TestCluster;
import io.sparkata.whatif.WhatIfRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Event logs that Spark has written, of real executors. */
class WhatIfIT {
  @TempDir Path folder;

  private final AtomicReference<TrainingEnded> observed = new AtomicReference<>();
  private final SparkListener listener =
      new SparkListener() {
        @Override
        public void onOtherEvent(SparkListenerEvent event) {
          if (event instanceof TrainingEnded ended) {
            observed.set(ended);
          }
        }
      };

  /** The same training by the mode observe, which sees it run, and by its event log. */
  @Test
  void run_rolledLogOfATraining_saysWhatObserveSaid() throws IOException {
    train("zstd");
  }

  @Test
  @Tag("nightly")
  void run_logOfATraining_saysWhatObserveSaid() throws IOException {
    train("lz4");
  }

  private void train(String codec) throws IOException {
    try (TestCluster cluster =
        TestCluster.start(
            Map.of(
                "spark.ata.mode",
                "observe",
                "spark.ata.route",
                "lbfgs",
                "spark.eventLog.enabled",
                "true",
                "spark.eventLog.dir",
                folder.toUri().toString(),
                "spark.eventLog.rolling.enabled",
                Boolean.toString(codec.equals("zstd")),
                "spark.eventLog.compress",
                "true",
                "spark.eventLog.compression.codec",
                codec))) {
      SparkListeners.addListener(cluster.context().sc(), listener, "test");
      Fit.MULTINOMIAL.train(
          FitData.even(cluster.context(), 5, false, FitData.SMALL_BLOCKS, 3000, 3),
          Fit.Terms.PLAIN,
          /* iterations= */ 20);
      SparkListeners.awaitListeners(cluster.context().sc(), /* millis= */ 10_000); // unpersisted,
      SparkListeners.awaitListeners(cluster.context().sc(), /* millis= */ 10_000); // and ended
    }

    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, /* autoFlush= */ true, UTF_8);
    assertThat(new WhatIfRun(printed, System.err).run("--json", folder.toString())).isZero();
    JsonNode application = new ObjectMapper().readTree(out.toString(UTF_8)).at("/applications/0");
    JsonNode training = application.at("/trainings/0");
    assertThat(training.get("name").asText()).startsWith("LogisticRegression.");
    assertThat(training.get("route").asText()).isEqualTo("lbfgs");
    assertThat(training.get("rounds").asInt()).isGreaterThan(11).isEqualTo(observed.get().rounds());
    assertThat(training.get("seconds").asDouble()).isEqualTo(observed.get().seconds());
    assertThat(training.get("savedSeconds").asDouble()).isEqualTo(observed.get().savedSeconds());
    assertThat(training.get("savedLow").asDouble()).isEqualTo(observed.get().savedLow());
    assertThat(training.get("savedHigh").asDouble()).isEqualTo(observed.get().savedHigh());
    assertThat(training.get("relativeSpeeds")).hasSize(3);
    assertThat(application.get("executors").asInt()).isEqualTo(3);
  }
}
