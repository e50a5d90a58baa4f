package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import io.sparkata.cluster.Executor;
import io.sparkata.memory.Speeds;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Speeds that outlive a training, and the application. */
class SpeedsIT {
  private static final String KERNEL = "logistic dense";

  private static Tuple2<Vector, double[]> stock;

  @TempDir private Path folder;

  @BeforeAll
  static void trainByMllib() {
    stock = Mllib.stock(spark -> training(spark).trainByMllib());
  }

  @Test
  @Tag("nightly") // the next one has the same, and reads a file as well
  void train_speedsKnown_firstRoundHasTheirSharesAndMllibsWeights() throws IOException {
    Path file = folder.resolve("speeds.json");
    try (TestCluster cluster = start(file)) {
      Speeds speeds = cluster.runtime().speeds();
      List<Executor> executors = cluster.runtime().cluster().live();
      double[] nanosPerByte = {1, 2, 4};
      for (int i = 0; i < executors.size(); i++) {
        Executor executor = executors.get(i);
        speeds.remember(executor.id(), executor.host(), KERNEL, nanosPerByte[i]);
      }

      Mllib.assertSame(training(cluster.context()).trainBySparkAta("adaptive"), stock);

      Map<String, Integer> units = unitsOfRoundOne(1);
      int[] shares = {110, 55, 27}; // of 192, as 4:2:1
      for (int i = 0; i < executors.size(); i++) {
        assertThat(units.get(executors.get(i).id())).isCloseTo(shares[i], within(6));
      }
      for (Executor executor : executors) { // measured meanwhile
        assertThat(speeds.nanosPerByte(executor.id(), executor.host(), KERNEL).getAsDouble())
            .isPositive()
            .isNotIn(1.0, 2.0, 4.0);
      }
    }
    assertThat(file).content().contains("\"kernel\" : \"logistic dense\"");
  }

  /**
   * All executors here share one host, so their speeds can be distinguished by executor id only.
   */
  @Test
  @Tag("nightly") // RememberedSpeedsTest has a second training
  void train_fileWrittenByHand_firstRoundHasItsSharesAndTheNextApplicationItsSuccessors()
      throws IOException {
    Path file = folder.resolve("speeds.json");
    try (TestCluster cluster = start(file)) {
      List<Executor> executors = cluster.runtime().cluster().live();
      writeByHand(file, executors.get(0).host(), /* nanosPerByte= */ 0.5);
      cluster.runtime().speeds().remember(executors.get(2).id(), "elsewhere", KERNEL, 2);

      Mllib.assertSame(training(cluster.context()).trainBySparkAta("adaptive"), stock);

      Map<String, Integer> units = unitsOfRoundOne(1);
      int[] shares = {85, 85, 21}; // of 192, as 4:4:1; unknown, they would have had one unit each
      for (int i = 0; i < executors.size(); i++) {
        assertThat(units.get(executors.get(i).id())).isCloseTo(shares[i], within(6));
      }
    }
    deleteRoundLogs();

    try (TestCluster cluster = start(file)) {
      double written = nanosPerByteIn(file, cluster.runtime().cluster().live().get(0).host());
      Mllib.assertSame(training(cluster.context()).trainBySparkAta("adaptive"), stock);

      assertThat(written).isPositive().isNotEqualTo(0.5); // the first application's measurement
      double expected = written * 8 * (10 + 1); // a label and ten features, one slot
      for (JsonNode worker : roundOne(1).get("workers")) {
        if (worker.get("samples").asInt() > 0) {
          assertThat(worker.get("estimatedNanosPerSample").asDouble())
              .isCloseTo(expected, within(1e-9 * expected));
        }
      }
    }
    assertThat(file).content().contains("\"host\" : \"elsewhere\"", "\"host\" : \"away\"");
  }

  /** The file is read by the driver, so that one executor is enough. */
  @Test
  void train_speedsFileBroken_isAllocatedWithOneWarning() throws IOException {
    Path file = Files.writeString(folder.resolve("speeds.json"), "not ours");
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        JavaSparkContext spark =
            LocalSpark.start(
                Map.of(
                    "spark.ata.onError",
                    "fallback",
                    "spark.ata.speeds.path",
                    file.toUri().toString()))) {
      Mllib training = training(spark);
      Mllib.assertSame(training.trainBySparkAta(null), stock);
      Mllib.assertSame(training.trainBySparkAta(null), stock);

      Counters counters = AtaRuntime.of(spark.sc()).orElseThrow().counters();
      assertThat(counters.fallbacks).hasValue(0);
      assertThat(counters.rounds).hasValue(2L * (training.iterations() + 1));
      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .startsWith("Spark ATA: cannot read speeds from " + file.toUri());
    }
    assertThat(file).hasContent("not ours");
  }

  private TestCluster start(Path file) {
    return TestCluster.start(
        Map.of(
            "spark.ata.speeds.path",
            file.toUri().toString(),
            "spark.ata.onError",
            "fallback",
            "spark.ata.roundLog.path",
            folder.resolve("rounds").toUri().toString()));
  }

  private static Mllib training(JavaSparkContext spark) {
    return Mllib.logistic(
        spark, 3000, /* features= */ 10, /* partitions= */ 4, /* iterations= */ 10);
  }

  private static void writeByHand(Path file, String host, double nanosPerByte) throws IOException {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("format", "spark-ata-speeds").put("version", 1);
    for (String place : List.of(host, "away")) {
      root.withArray("speeds")
          .addObject()
          .put("host", place)
          .put("kernel", KERNEL)
          .put("nanosPerByte", nanosPerByte);
    }
    Files.writeString(file, root.toString());
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
  }

  private static double nanosPerByteIn(Path file, String host) throws IOException {
    for (JsonNode entry : new ObjectMapper().readTree(file.toFile()).get("speeds")) {
      if (entry.get("host").asText().equals(host)) {
        return entry.get("nanosPerByte").asDouble();
      }
    }
    throw new AssertionError("no entry of " + host);
  }

  private void deleteRoundLogs() throws IOException {
    try (var logs = Files.list(folder.resolve("rounds"))) {
      for (Path log : logs.toList()) {
        Files.delete(log);
      }
    }
  }

  private Map<String, Integer> unitsOfRoundOne(int call) throws IOException {
    Map<String, Integer> units = new HashMap<>();
    roundOne(call)
        .get("workers")
        .forEach(worker -> units.put(worker.get("id").asText(), worker.get("units").asInt()));
    return units;
  }

  private JsonNode roundOne(int call) throws IOException {
    try (var logs = Files.list(folder.resolve("rounds"))) {
      Path log =
          logs.filter(file -> file.toString().endsWith("-call-" + call + ".jsonl"))
              .findFirst()
              .orElseThrow();
      return new ObjectMapper().readTree(Files.readAllLines(log).get(0));
    }
  }
}
