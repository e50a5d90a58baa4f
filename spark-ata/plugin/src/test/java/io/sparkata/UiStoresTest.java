package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.events.CachedStages;
import io.sparkata.events.Rounds;
import io.sparkata.events.RoundsCompleted;
import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.events.TrainingLeft;
import io.sparkata.events.TrainingStarted;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.history.FsHistoryProvider;
import org.apache.spark.deploy.history.HistoryServer;
import org.apache.spark.deploy.history.HistoryServer$;
import org.apache.spark.scheduler.JobSucceeded$;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.collection.immutable.List$;

/** The tab of the same trainings, whichever store Spark's UI and its history server keep. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UiStoresTest {
  private static final String NAME = "f\u00edt <b>'x'</b> \"at\" \\A.java:1";
  private static final List<String> EXECUTORS = List.of("10", "driver", "2");
  private static final int SUMS = 30;
  private static final List<String> PAGES =
      List.of(
          "",
          "cache/?",
          "training/?id=1",
          "training/?id=2",
          "training/?id=3",
          "training/?id=11",
          "executor/?id=10");

  private Path events;
  private Map<String, String> inMemory;

  @BeforeAll
  void trainWithAStoreInMemory(@TempDir Path folder) throws IOException, InterruptedException {
    events = folder;
    inMemory =
        live(
            Map.of(
                "spark.eventLog.enabled", "true", "spark.eventLog.dir", events.toUri().toString()),
            () -> {});
    assertThat(inMemory.get(""))
        .contains("4 trainings", "running", "Executor driver", "slower", "jobs for 5.000 s");
    assertThat(inMemory.get("training/?id=2")).contains("<svg");
    List<JsonNode> rounds = new ArrayList<>();
    new ObjectMapper().readTree(inMemory.get("rounds")).forEach(rounds::add);
    assertThat(rounds)
        .hasSize(3 * SUMS * EXECUTORS.size())
        .isSortedAccordingTo(
            Comparator.<JsonNode>comparingLong(row -> row.get(0).asLong())
                .thenComparing(row -> row.get(1).asLong()));
  }

  @Test
  void live_storeOnDisk_showsTheSame(@TempDir Path store) throws IOException, InterruptedException {
    Map<String, String> onDisk =
        live(
            Map.of("spark.ui.store.path", store.toString()),
            () -> assertThat(isDatabase(store)).isTrue());

    assertThat(onDisk).isEqualTo(inMemory);
  }

  /** The second server cannot read the event log: it has the first one's store only. */
  @ParameterizedTest
  @CsvSource({"LEVELDB, JSON, false", "ROCKSDB, PROTOBUF, false", "ROCKSDB, JSON, true"})
  void history_storeOnDisk_showsTheSameAlsoWhenReopened(
      String backend, String serializer, String isHybrid, @TempDir Path folder)
      throws IOException, InterruptedException {
    Path log = folder.resolve("events");
    Path store = Files.createDirectory(folder.resolve("store"));
    copy(events, log);
    SparkConf conf =
        new SparkConf()
            .set("spark.history.fs.logDirectory", log.toUri().toString())
            .set("spark.history.store.path", store.toString())
            .set("spark.history.store.serializer", serializer)
            .set("spark.history.store.hybridStore.enabled", isHybrid)
            .set("spark.history.store.hybridStore.diskBackend", backend);
    Map<String, String> expected = new HashMap<>(inMemory);
    expected.remove("rounds");
    expected.replaceAll((page, content) -> content.replace("running", "not ended"));

    Map<String, String> first = history(conf, store);
    overwrite(log);
    Map<String, String> second = history(conf, store);

    assertThat(first).isEqualTo(expected);
    assertThat(second).isEqualTo(expected);
  }

  /** What a running application shows of the trainings. */
  private Map<String, String> live(Map<String, String> settings, Check check)
      throws IOException, InterruptedException {
    Map<String, String> all =
        new HashMap<>(
            Map.of(
                "spark.ui.enabled",
                "true",
                "spark.ui.port",
                "0",
                "spark.app.name",
                "of any store"));
    all.putAll(settings);
    try (JavaSparkContext spark = LocalSpark.start(all)) {
      post(spark.sc());
      SparkListeners.awaitListeners(spark.sc(), /* millis= */ 60_000);
      Map<String, String> shown = pages(spark.sc().uiWebUrl().get() + "/ata/");
      shown.put("rounds", AtaStatus.rounds(spark.sc()));
      check.run();
      return shown;
    }
  }

  private interface Check {
    void run() throws IOException;
  }

  /** What a history server shows of the only application. */
  private static Map<String, String> history(SparkConf conf, Path store)
      throws IOException, InterruptedException {
    FsHistoryProvider provider = new FsHistoryProvider(conf);
    HistoryServer server =
        new HistoryServer(
            conf, provider, HistoryServer$.MODULE$.createSecurityManager(conf), /* port= */ 0);
    server.bind();
    try {
      provider.start();
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> provider.getListing().hasNext());
      String id = provider.getListing().next().id();
      String application = "http://localhost:" + server.boundPort() + "/history/" + id;
      Web.get(application + "/jobs/"); // loads it
      Map<String, String> shown = pages(application + "/ata/");
      Awaitility.await() // a hybrid store is written behind the first answer
          .atMost(Duration.ofMinutes(1))
          .until(() -> isDatabase(store.resolve("apps")));
      return shown;
    } finally {
      server.stop();
    }
  }

  private static Map<String, String> pages(String tab) throws IOException, InterruptedException {
    Map<String, String> shown = new HashMap<>();
    for (String page : PAGES) {
      shown.put(page, contentOf(Web.get(tab + page)));
      String json = page.isEmpty() ? "json" : page.replace("/?", "/json?");
      shown.put(json, Web.get(tab + json));
    }
    return shown;
  }

  /** Ours: Spark's header has other links there, and its footer the time. */
  private static String contentOf(String page) {
    int footer = page.indexOf("<footer");
    return page.substring(page.indexOf("<p>"), footer < 0 ? page.length() : footer);
  }

  /**
   * Two that ended, one that runs and one that was left. As text, the keys of trainings and rounds
   * have another order.
   */
  private static void post(SparkContext spark) {
    for (long id = 3; id >= 1; id--) {
      SparkListeners.post(spark, new TrainingStarted(id, 5 * id, NAME, "lbfgs", "adaptive"));
      for (int sum = 0; sum < SUMS; sum++) {
        long[] figures = {sum * id, 1L << 40, 0};
        Rounds rounds =
            new Rounds(
                /* first= */ 1 + 4 * sum,
                /* count= */ 4,
                /* byMessage= */ sum % 4,
                /* micros= */ 3_000_000 + sum,
                /* longestMicros= */ 2_500_000,
                EXECUTORS,
                new long[] {1_000 + sum, 2_000, 0},
                new long[] {2_000_000, sum < 20 ? 1_000_000 : 4_000_000, 0},
                figures,
                figures);
        SparkListeners.post(spark, new RoundsCompleted(id, 6, List.of(rounds)));
      }
    }
    SparkListeners.post(
        spark,
        new TrainingEnded(
            1, 700, Outcome.ALLOCATED, 4 * SUMS, 90.5, 0.1, 3.25, 2.0, 4.0, List.of(NAME, "")));
    SparkListeners.post(
        spark,
        new TrainingEnded(2, 800, Outcome.FAILED, 4 * SUMS, 90, 0, null, null, null, List.of()));
    SparkListeners.post(
        spark, new TrainingLeft(11, 9, NAME, "other", "FRACTION", "a reason", "an advice"));
    SparkListeners.post(
        spark, new SparkListenerJobStart(99, 5, List$.MODULE$.empty(), new Properties()));
    SparkListeners.post(spark, new SparkListenerJobEnd(99, 5005, JobSucceeded$.MODULE$));
    for (int rdd : new int[] {1, 10, 9}) {
      SparkListeners.post(
          spark, new CachedStages(rdd, 900, NAME, rdd < 10, 4, 5.5, 2.5, rdd, 1L << 40));
    }
  }

  private static boolean isDatabase(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.anyMatch(file -> file.endsWith("CURRENT"));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  /** With zeros: a server that finds a log longer than before would read it again. */
  private static void overwrite(Path logs) throws IOException {
    try (Stream<Path> files = Files.walk(logs)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.write(file, new byte[(int) Files.size(file)]);
      }
    }
  }
}
