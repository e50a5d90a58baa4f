package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import com.example.BrokenGradient;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.rounds.ExecutorMetrics;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.UserByQuery;
import io.sparkata.testing.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LBFGS;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What trainings write to Spark's event log. */
class EventsTest {
  private static final int ITERATIONS = 6;

  @TempDir Path folder;

  private JavaSparkContext start(String isEnabled) {
    return start(Map.of("spark.ata.ui.enabled", isEnabled));
  }

  private JavaSparkContext start(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("spark.ui.enabled", "true");
    all.put("spark.ui.port", "0");
    all.put("spark.eventLog.enabled", "true");
    all.put("spark.eventLog.dir", folder.toUri().toString());
    all.put("spark.eventLog.compress", "false"); // Spark 4 does
    all.put("spark.ata.route", "gradientDescent,lbfgs");
    return LocalSpark.start(all);
  }

  private static boolean isLog(Path file) {
    return Files.isRegularFile(file) && !file.toString().endsWith(".crc");
  }

  /** Our events, in their order. */
  private List<JsonNode> events() throws IOException {
    List<JsonNode> events = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(EventsTest::isLog).toList()) {
        for (String line : Files.readAllLines(file)) {
          JsonNode event = new ObjectMapper().readTree(line);
          if (event.path("Event").asText().startsWith("io.sparkata.")) {
            events.add(event);
          }
        }
      }
    }
    return events;
  }

  @Test
  @Tag("spark")
  void train_byDefault_writesStartRoundsAndEnd() throws IOException {
    try (JavaSparkContext spark = start("true")) {
      LocalSpark.training(spark, /* features= */ 5, ITERATIONS).trainBySparkAta("adaptive");
    }

    List<JsonNode> events = events();
    JsonNode started = events.get(0);
    assertThat(started.get("Event").asText()).isEqualTo("io.sparkata.events.TrainingStarted");
    assertThat(started.get("training").asLong()).isEqualTo(1);
    assertThat(started.get("policy").asText()).isEqualTo("adaptive");
    long rounds = 0;
    for (JsonNode one : events.subList(1, events.size() - 1)) {
      assertThat(one.get("Event").asText()).isEqualTo("io.sparkata.events.RoundsCompleted");
      for (JsonNode sum : one.get("rounds")) {
        assertThat(sum.get("first").asLong()).isEqualTo(rounds + 1);
        assertThat(sum.get("executors").get(0).asText()).isEqualTo("driver");
        rounds += sum.get("count").asLong();
      }
    }
    assertThat(rounds).isEqualTo(ITERATIONS + 1);
    JsonNode ended = events.get(events.size() - 1);
    assertThat(ended.get("Event").asText()).isEqualTo("io.sparkata.events.TrainingEnded");
    assertThat(ended.get("outcome").asText()).isEqualTo("ALLOCATED");
    assertThat(ended.get("rounds").asLong()).isEqualTo(rounds);
    assertThat(ended.get("report")).hasSize(2);
  }

  @Test
  @Tag("spark")
  void metrics_driver_areThoseOfTheDocs() throws IOException, InterruptedException {
    Map<String, Double> gauges = new HashMap<>();
    try (JavaSparkContext spark = start("true")) {
      LocalSpark.training(spark, /* features= */ 5, ITERATIONS).trainBySparkAta("adaptive");
      Mllib left = LocalSpark.training(spark, /* features= */ 5, ITERATIONS).sampling(0);
      left.trainByMllib();
      JsonNode all = Web.json(spark.sc().uiWebUrl().get() + "/metrics/json/").get("gauges");
      String prefix = spark.sc().applicationId() + ".driver.plugin.io.sparkata.AtaPlugin.";
      all.fieldNames()
          .forEachRemaining(
              name -> {
                if (name.startsWith(prefix)) {
                  double value = all.get(name).get("value").asDouble();
                  gauges.put(
                      name.substring(prefix.length())
                          .replace(".driver.", ".<id>.")
                          .replace("FRACTION", "<reason>"),
                      value);
                }
              });
    }

    String docs = Files.readString(Path.of("..", "..", "docs", "monitoring.md"));
    String row = docs.substring(docs.indexOf("| the driver | "), docs.indexOf("| an executor | "));
    assertThat(
            Pattern.compile("`([\\w.<>]+)`")
                .matcher(row)
                .results()
                .map(found -> found.group(1))
                .toList())
        .containsExactlyInAnyOrderElementsOf(gauges.keySet());
    assertThat(gauges)
        .containsEntry("trainings", 2.0)
        .containsEntry("rounds", ITERATIONS + 1.0)
        .containsEntry("leftToSpark", 1.0)
        .containsEntry("leftToSpark.<reason>", 1.0)
        .containsEntry("executors.<id>.share", 1.0)
        .hasEntrySatisfying("roundSeconds", EventsTest::isPositive)
        .hasEntrySatisfying("executors.<id>.samplesPerSecond", EventsTest::isPositive)
        .hasEntrySatisfying("efficiency", EventsTest::isPositive);
  }

  @Test
  @Tag("spark")
  void metrics_executor_countSamplesOfDescentsAndOfFirstEvaluations() {
    MetricRegistry registry = new MetricRegistry();
    ExecutorMetrics.register(registry); // in local mode of this JVM
    Counter samples = registry.getCounters().get("samples");
    try (JavaSparkContext spark = start(Map.of("spark.ata.route", "lbfgs"))) {
      long before = samples.getCount();
      LocalSpark.training(spark, /* features= */ 5, ITERATIONS).sampling(1).trainBySparkAta(null);
      long ofDescent = samples.getCount() - before;
      FitData data = FitData.even(spark, /* features= */ 5, false, FitData.SMALL_BLOCKS, 600, 3);
      Fit.LOGISTIC.train(data, Fit.Terms.PLAIN, /* iterations= */ 0);

      assertThat(ofDescent).isEqualTo(640L * (ITERATIONS + 1));
      assertThat(samples.getCount()).isGreaterThan(before + ofDescent);
    }
  }

  @Test
  @Tag("spark")
  void dashboard_asksForMetricsThatPrometheusFinds() throws IOException, InterruptedException {
    String sink = "spark.metrics.conf.driver.sink.prometheusServlet.";
    List<String> found;
    try (JavaSparkContext spark =
        start(
            Map.of(
                sink + "class", "org.apache.spark.metrics.sink.PrometheusServlet",
                sink + "path", "/metrics/prometheus"))) {
      Mllib training = LocalSpark.training(spark, /* features= */ 5, ITERATIONS);
      training.trainBySparkAta("adaptive");
      training.sampling(0).trainByMllib();
      String all = Web.get(spark.sc().uiWebUrl().get() + "/metrics/prometheus/");
      found = all.lines().map(line -> line.replaceAll("\\{.*", "")).toList();
    }

    Path dashboard = Path.of("..", "..", "docs", "grafana.json");
    List<String> asked = new ArrayList<>();
    for (JsonNode panel : new ObjectMapper().readTree(dashboard.toFile()).get("panels")) {
      for (JsonNode target : panel.get("targets")) {
        Pattern.compile("__name__=~\"([^\"]+)\"")
            .matcher(target.get("expr").asText())
            .results()
            .forEach(name -> asked.add(name.group(1)));
      }
    }
    assertThat(asked)
        .hasSize(13)
        .allSatisfy(name -> assertThat(found).anyMatch(line -> line.matches(name)));
  }

  private static void isPositive(double value) {
    assertThat(value).isPositive();
  }

  @Test
  void train_throws_isWrittenAsFailed() throws IOException {
    try (JavaSparkContext spark = start("true")) {
      Mllib training =
          LocalSpark.training(spark, /* features= */ 5, ITERATIONS).with(new BrokenGradient());
      assertThatThrownBy(() -> training.trainBySparkAta("adaptive"))
          .hasStackTraceContaining(BrokenGradient.MESSAGE);
    }

    assertThat(outcomes()).containsExactly("FAILED");
  }

  @Test
  void evaluate_throws_isWrittenAsFailed() throws IOException {
    try (JavaSparkContext spark = start("true")) {
      assertThatThrownBy(() -> fit(spark, new BrokenGradient(), ITERATIONS))
          .hasStackTraceContaining(BrokenGradient.MESSAGE);
    }

    assertThat(outcomes()).containsExactly("FAILED");
  }

  @Test
  void evaluate_dataNeverUnpersisted_endsWithTheApplication() throws IOException {
    try (JavaSparkContext spark = start("true")) {
      fit(spark, new LogisticGradient(), ITERATIONS);
    }

    assertThat(outcomes()).containsExactly("ALLOCATED");
  }

  /** The first evaluation packs, and is none of the rounds. */
  @Test
  void evaluate_once_ends() throws IOException {
    try (JavaSparkContext spark = start("true")) {
      fit(spark, new LogisticGradient(), /* iterations= */ 0);
    }

    assertThat(outcomes()).containsExactly("ALLOCATED");
  }

  /** Leaves the rows persisted. */
  private static void fit(JavaSparkContext spark, Gradient gradient, int iterations) {
    FitData data = FitData.even(spark, 5, false, FitData.SMALL_BLOCKS, 300, 3);
    LBFGS.runLBFGS(
        data.binaryRows().persist(StorageLevel.MEMORY_ONLY()),
        gradient,
        new SquaredL2Updater(),
        /* numCorrections= */ 10,
        /* convergenceTol= */ 1e-9,
        iterations,
        /* regParam= */ 0.1,
        Vectors.zeros(data.features()));
  }

  private List<String> outcomes() throws IOException {
    return events().stream()
        .filter(event -> event.has("outcome"))
        .map(event -> event.get("outcome").asText())
        .toList();
  }

  @Test
  @Tag("spark")
  void tab_userWithoutViewRights_isForbidden() throws IOException, InterruptedException {
    Map<String, String> secured =
        Map.of(
            "spark.acls.enable", "true",
            "spark.ui.view.acls", "alice",
            "spark.ui.filters", UserByQuery.filter());
    try (JavaSparkContext spark = start(secured)) {
      LocalSpark.training(spark, /* features= */ 5, ITERATIONS).trainBySparkAta("adaptive");
      String tab = spark.sc().uiWebUrl().get() + "/ata/";
      for (String page :
          List.of(
              "?",
              "json?",
              "training/?id=1&",
              "training/json?id=1&",
              "executor/?id=0&",
              "executor/json?id=0&",
              "cache/?",
              "cache/json?")) {
        assertThat(Web.ask(tab + page + "user=alice").statusCode()).as(page).isEqualTo(200);
        assertThat(Web.ask(tab + page + "user=mallory").statusCode()).as(page).isEqualTo(403);
      }
    }
  }

  @Test
  @Tag("spark")
  void train_uiOff_writesNothingAndHasNoTab() throws IOException, InterruptedException {
    try (JavaSparkContext spark = start("false")) {
      LocalSpark.training(spark, /* features= */ 5, ITERATIONS).trainBySparkAta("adaptive");
      String ui = spark.sc().uiWebUrl().get();
      assertThat(Web.get(ui + "/jobs/")).doesNotContain(">ATA<");
      assertThat(Web.get(ui + "/ata/"))
          .as("Spark's first page")
          .doesNotContain("Spark ATA: trainings");
    }

    assertThat(events()).isEmpty();
  }
}
