package io.sparkata;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.Mllib;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers that notebooks get, in Java and by sparkata.py. */
@Tag("spark")
class AtaStatusTest {
  private static final Map<String, String> UI =
      Map.of(
          "spark.ui.enabled", "true", "spark.ui.port", "0", "spark.ata.route", "gradientDescent");
  private static final int ITERATIONS = 4;
  private static final String WITHOUT_JAR =
      "off because the plugin's jar is not on the driver's class path: add it by --jars or"
          + " --packages";

  private static String status(Map<String, String> settings) {
    try (JavaSparkContext spark = LocalSpark.start(settings)) {
      return AtaStatus.of(spark.sc());
    }
  }

  @Test
  void of_on_isOn() {
    assertThat(status(Map.of())).isEqualTo("on");
    assertThat(status(Map.of("spark.ata.mode", "observe")))
        .isEqualTo("on, but only observes: spark.ata.mode=observe");
  }

  @Test
  void of_off_saysWhy() {
    assertThat(status(Map.of("spark.plugins", "")))
        .isEqualTo("off because spark.plugins does not name io.sparkata.AtaPlugin");
    assertThat(status(Map.of("spark.ata.enabled", "false")))
        .isEqualTo("off because spark.ata.enabled is not true");
    assertThat(status(Map.of("spark.ata.policy", "wrong", "spark.ata.onError", "fallback")))
        .isEqualTo("off because it could not start; a WARN in the driver's log says why");
  }

  @Test
  void of_threadSwitchedOff_isOffThere() {
    try (JavaSparkContext spark = LocalSpark.start(Map.of())) {
      spark.setLocalProperty("spark.ata.enabled", "false");
      assertThat(AtaStatus.of(spark.sc()))
          .isEqualTo("off because this session or thread has set spark.ata.enabled=false");

      spark.setLocalProperty("spark.ata.enabled", null);
      assertThat(AtaStatus.of(spark.sc())).isEqualTo("on");
    }
  }

  @Test
  void trainings_off_isAnError() throws IOException {
    try (JavaSparkContext spark = LocalSpark.start(Map.of("spark.ata.enabled", "false"))) {
      assertThat(json(AtaStatus.trainings(spark.sc())).get("error").asText())
          .isEqualTo("off because spark.ata.enabled is not true");
    }
    try (JavaSparkContext spark = LocalSpark.start(Map.of())) {
      assertThat(json(AtaStatus.rounds(spark.sc())).get("error").asText())
          .isEqualTo(
              "trainings are kept only with spark.ui.enabled=true and spark.ata.ui.enabled=true");
    }
  }

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text);
  }

  /** One training by Spark ATA and one that it leaves to Spark. */
  private static void train(JavaSparkContext spark) {
    Mllib training = LocalSpark.training(spark, /* features= */ 5, ITERATIONS);
    training.trainBySparkAta("adaptive");
    training.sampling(0).trainByMllib();
  }

  @Test
  void trainings_afterTwo_areThoseOfTheTab() throws IOException {
    try (JavaSparkContext spark = LocalSpark.start(UI)) {
      train(spark);
      JsonNode trainings = json(AtaStatus.trainings(spark.sc()));
      JsonNode rounds = json(AtaStatus.rounds(spark.sc()));

      assertThat(trainings).hasSize(2);
      assertThat(trainings.get(0).get("state").asText()).isEqualTo("done");
      assertThat(trainings.get(0).get("report")).hasSize(2);
      assertThat(trainings.get(1).get("reason").asText()).isEqualTo("FRACTION");
      assertThat(rounds).isNotEmpty();
      long sum = 0;
      for (JsonNode row : rounds) {
        assertThat(row).hasSize(10);
        assertThat(row.get(0).asLong()).isEqualTo(1);
        assertThat(row.get(5).asText()).isEqualTo("driver");
        sum += row.get(2).asLong();
      }
      assertThat(sum).isEqualTo(ITERATIONS + 1);
    }
  }

  @Tag("python3")
  @Test
  void sparkataPy_onTheseAnswers_saysTheSame(@TempDir Path folder)
      throws IOException, InterruptedException {
    try (JavaSparkContext spark = LocalSpark.start(UI)) {
      train(spark);
      Files.writeString(folder.resolve("of"), AtaStatus.of(spark.sc()));
      Files.writeString(folder.resolve("trainings"), AtaStatus.trainings(spark.sc()));
      Files.writeString(folder.resolve("rounds"), AtaStatus.rounds(spark.sc()));
    }
    Files.writeString(folder.resolve("error"), "{\"error\": \"off because of a test\"}");

    ProcessBuilder builder =
        new ProcessBuilder("python3", "-B", "src/test/python/ask.py", folder.toString());
    builder.environment().put("PYTHONPATH", "src/main/python");
    Process process = builder.redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    assertThat(printed.lines())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("status: on"),
            line -> assertThat(line).startsWith("Spark ATA ran training 1: "),
            line -> assertThat(line).startsWith("Spark ATA training 1: "),
            line ->
                assertThat(line)
                    .startsWith("Spark ATA training 2: ")
                    .endsWith(
                        ": left to Spark, because a fraction of 0.0 is not in (0, 1]. Use one that"
                            + " is"),
            line -> assertThat(line).matches("rounds: 5 rows: 1[0-9]{3}"),
            line -> assertThat(line).isEqualTo("executors: ['driver']"),
            line -> assertThat(line).isEqualTo("RuntimeError: Spark ATA: off because of a test"),
            line -> assertThat(line).isEqualTo("status: " + WITHOUT_JAR),
            line -> assertThat(line).isEqualTo("RuntimeError: Spark ATA: " + WITHOUT_JAR),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "[('spark.ata.enabled', 'true'), ('spark.executor.defaultJavaOptions',"
                            + " '--add-modules=jdk.incubator.vector'), ('spark.plugins',"
                            + " 'io.sparkata.AtaPlugin')]"),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "[('spark.ata.enabled', 'true'), ('spark.executor.defaultJavaOptions',"
                            + " '-Da=b --add-modules=jdk.incubator.vector'), ('spark.plugins',"
                            + " 'com.example.Own,io.sparkata.AtaPlugin')]"),
            line ->
                assertThat(line).startsWith("RuntimeError: Spark's JVM runs without the plugin's"),
            line ->
                assertThat(line)
                    .startsWith("RuntimeError: A SparkContext runs. Call spark.stop() first"));
  }
}
