package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.Mllib;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a training writes to the round log, against docs/round-log.md. */
class RoundLogTest {
  private static final String WARNING_END =
      "; the training goes on without it. Set spark.ata.roundLog.path to a folder that can be"
          + " written";

  private static final Pattern FIELD = Pattern.compile("`(\\w+)`");

  private static final int ROWS = 640;
  private static final int ITERATIONS = 6;

  @TempDir Path folder;

  private static JavaSparkContext start(String roundLogPath) {
    return LocalSpark.start(Map.of("spark.ata.roundLog.path", roundLogPath));
  }

  @Test
  void train_withPath_writesOneObjectPerRoundWithEveryField() throws IOException {
    String file;
    try (JavaSparkContext spark = start(folder.toUri().toString())) {
      LocalSpark.training(spark, /* features= */ 5, ITERATIONS).trainBySparkAta("adaptive");
      file = spark.sc().applicationId() + "-call-1.jsonl";
    }

    List<JsonNode> rounds = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve(file))) {
      rounds.add(new ObjectMapper().readTree(line));
    }
    assertThat(rounds).hasSize(ITERATIONS + 1);
    for (int i = 0; i < rounds.size(); i++) {
      JsonNode round = rounds.get(i);
      assertThat(round.get("call").asInt()).isEqualTo(1);
      assertThat(round.get("kind").asText()).isEqualTo("gradientDescent");
      assertThat(round.get("round").asInt()).isEqualTo(i + 1);
      assertThat(round.get("attempt").asInt()).isEqualTo(1);
      assertThat(round.get("policy").asText()).isEqualTo("adaptive");
      assertThat(round.get("budget").asInt()).isEqualTo(64);
      assertThat(round.get("cuts").asInt()).isZero();
      assertThat(round.get("nanos").asLong()).isGreaterThan(round.get("jobNanos").asLong());
      assertThat(round.get("reasons").isArray()).isTrue();
      assertThat(round.get("workers")).hasSize(1);
      JsonNode worker = round.get("workers").get(0);
      assertThat(worker.get("id").asText()).isEqualTo("driver");
      assertThat(worker.get("slots").asInt()).isEqualTo(2);
      assertThat(worker.get("units").asInt()).isEqualTo(64);
      assertThat(worker.get("rows").asInt()).isEqualTo(ROWS);
      assertThat(worker.get("samples").asInt())
          .isEqualTo(round.get("samples").asInt())
          .isBetween(ROWS / 4, 3 * ROWS / 4);
      assertThat(worker.get("kernelNanos").asLong()).isPositive();
      assertThat(worker.get("droppedNanos").asLong()).isZero();
      assertThat(worker.get("fetchedBytes").asLong()).isZero();
    }
    assertThat(rounds.get(0).get("packNanos").asLong()).isPositive();
    assertThat(rounds.get(0).get("packedBytes").asLong()).isEqualTo(ROWS * 6 * 8);
    assertThat(rounds.get(1).has("packNanos")).isFalse();
    assertThat(
            rounds.get(ITERATIONS).get("workers").get(0).get("estimatedNanosPerSample").asDouble())
        .isPositive();
    assertAreDocumented(rounds);
  }

  /** Every field is in the page's table, and the table has no other but those of rare rounds. */
  private static void assertAreDocumented(List<JsonNode> rounds) throws IOException {
    NavigableSet<String> written = new TreeSet<>(List.of("repeated", "estimatedFixedNanos"));
    for (JsonNode round : rounds) {
      round.fieldNames().forEachRemaining(written::add);
      round.get("workers").get(0).fieldNames().forEachRemaining(written::add);
    }
    String page = Files.readString(Path.of("..", "..", "docs", "round-log.md"));
    String table = page.substring(page.indexOf("| field | meaning |"));
    NavigableSet<String> documented = new TreeSet<>();
    for (String row : table.substring(0, table.indexOf("\n\n")).split("\n", -1)) {
      FIELD.matcher(row.split("\\|", -1)[1]).results().forEach(f -> documented.add(f.group(1)));
    }

    assertThat(documented).containsExactlyElementsOf(written);
  }

  /** The last as where an object store's classes are not there, which is no IOException. */
  @ParameterizedTest
  @CsvSource({
    "file:/proc/self/cmdline, Spark ATA: cannot write the round log (",
    "file:relative, Relative path in absolute URI",
    "s3a://bucket/rounds, S3AFileSystem not found"
  })
  void train_pathThatCannotBeWritten_warnsOnceAndTrains(String path, String warning) {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark = start(path)) {
      Mllib training = LocalSpark.training(spark, /* features= */ 5, ITERATIONS);
      Mllib.assertSame(training.trainBySparkAta(null), training.trainByMllib());

      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .contains(warning)
          .endsWith(WARNING_END);
    }
  }
}
