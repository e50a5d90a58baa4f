package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparkata.report.ReportText;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.Chromium;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.LaggingGradient;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.RoundLogs;
import io.sparkata.testing.SlowingGradient;
import io.sparkata.testing.SteppingUpdater;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.history.FsHistoryProvider;
import org.apache.spark.deploy.history.HistoryServer;
import org.apache.spark.deploy.history.HistoryServer$;
import org.apache.spark.util.CallSite;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The tab in the UI of an application on real executors, and afterwards in a history server. */
@Tag("spark")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TabIT {
  private static final int ITERATIONS = 60;
  private static final int LOOK_AT = 20; // of these
  private static final String SLOW = "1";
  private static final String HOSTILE = "<script>alert('x')</script>";
  private static final String DESCENT = "training/?id=3";
  private static final String SLOWING = "training/?id=4";
  private static final List<String> PAGES =
      List.of("", "training/?id=1", "training/?id=2", DESCENT, SLOWING, "executor/?id=" + SLOW);

  private final Map<String, String> livePages = new HashMap<>();
  private final Map<String, JsonNode> liveJson = new HashMap<>();
  private JsonNode runningJson;
  private Optional<Chromium.Page> runningPage = Optional.empty();
  private Optional<Exception> browserFailure = Optional.empty();
  private List<JsonNode> rounds;
  private JsonNode gauges;
  private String id; // of the application
  private HistoryServer server;
  private String history;

  /**
   * A fit by L-BFGS, a descent that is left to Spark, one with a slow executor, and one whose
   * executor slows down after about 30 rounds.
   */
  @BeforeAll
  void train(@TempDir Path folder) throws Exception {
    Path events = Files.createDirectory(folder.resolve("events"));
    Path logs = Files.createDirectory(folder.resolve("rounds"));
    try (TestCluster cluster =
        TestCluster.start(
            Map.of(
                "spark.ui.enabled", "true",
                "spark.ui.port", "0",
                "spark.app.name", HOSTILE,
                "spark.eventLog.enabled", "true",
                "spark.eventLog.dir", events.toUri().toString(),
                "spark.ata.roundLog.path", logs.toUri().toString(),
                "spark.ata.passThrough", "auto",
                "spark.ata.route", "lbfgs",
                "spark.ata.policy", "adaptive"))) {
      cluster.context().sc().setCallSite(new CallSite(HOSTILE, ""));
      Fit.LOGISTIC.train(
          FitData.even(cluster.context(), 10, false, FitData.SMALL_BLOCKS, 3000, 6),
          Fit.Terms.PLAIN,
          ITERATIONS);
      Mllib.logistic(cluster.context(), 60, 10, 3, 3).trainBySparkAta(null);
      Mllib.logistic(cluster.context(), 6000, 10, 12, ITERATIONS)
          .with(new LaggingGradient(SLOW, 100_000))
          .trainBySparkAta(
              null, new SteppingUpdater(iteration -> lookWhileItRuns(cluster, iteration)));
      rounds = RoundLogs.newest(logs);
      Mllib.logistic(cluster.context(), 600, 10, 12, ITERATIONS)
          .with(new SlowingGradient(SLOW, /* fastRows= */ 3000))
          .trainBySparkAta("uniform");
      SparkListeners.awaitListeners(cluster.context().sc(), 10_000);
      id = cluster.context().sc().applicationId();
      String ui = cluster.context().sc().uiWebUrl().get() + "/ata/";
      gauges = Web.json(ui + "../metrics/json/").get("gauges");
      for (String page : PAGES) {
        livePages.put(page, Web.get(ui + page));
        liveJson.put(page, Web.json(ui + jsonOf(page)));
      }
    }
    startHistory(events);
  }

  private void lookWhileItRuns(TestCluster cluster, int iteration) {
    if (iteration != LOOK_AT) {
      return;
    }
    String ui = cluster.context().sc().uiWebUrl().get() + "/ata/";
    SparkListeners.awaitListeners(cluster.context().sc(), 10_000);
    try {
      runningJson = Web.json(ui + jsonOf(DESCENT));
    } catch (IOException | InterruptedException error) {
      throw new IllegalStateException(error);
    }
    try {
      if (Chromium.isInstalled()) {
        runningPage = Optional.of(Chromium.open(ui + DESCENT, "running"));
      }
    } catch (IOException | InterruptedException error) {
      browserFailure = Optional.of(error); // only of the test in a browser
    }
  }

  private void startHistory(Path events) {
    SparkConf conf =
        new SparkConf().set("spark.history.fs.logDirectory", events.toUri().toString());
    FsHistoryProvider provider = new FsHistoryProvider(conf);
    server =
        new HistoryServer(
            conf, provider, HistoryServer$.MODULE$.createSecurityManager(conf), /* port= */ 0);
    server.bind();
    provider.start();
    history = "http://localhost:" + server.boundPort() + "/history/" + id + "/ata/";
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Web.ask(history).statusCode() == 200);
  }

  private static String jsonOf(String page) {
    return page.isEmpty() ? "json" : page.replace("/?", "/json?");
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.stop();
    }
  }

  @Test
  void overview_always_listsEachTrainingWithItsEnd() {
    JsonNode all = liveJson.get("").get("trainings");
    assertThat(all).hasSize(4);

    assertThat(all.get(0).get("kind").asText()).isEqualTo("lbfgs");
    assertThat(all.get(0).get("state").asText()).isEqualTo("done");
    assertThat(all.get(1).get("state").asText()).isEqualTo("left to Spark");
    assertThat(all.get(1).get("reason").asText()).isEqualTo("SMALL_ROUND");
    assertThat(all.get(2).get("kind").asText()).isEqualTo("gradientDescent");
    assertThat(all.get(2).get("state").asText()).isEqualTo("done");
    assertThat(all.get(2).get("policy").asText()).isEqualTo("adaptive");
    assertThat(all.get(2).get("rounds").asInt()).isEqualTo(ITERATIONS + 1);
    assertThat(all.get(2).get("packSeconds").asDouble()).isPositive();
    assertThat(livePages.get(""))
        .contains("4 trainings", "Left to Spark", all.get(1).get("advice").asText());
  }

  @Test
  void training_thatRuns_showsItsRounds() {
    assertThat(runningJson.get("state").asText()).isEqualTo("running");
    assertThat(runningJson.get("rounds").asInt()).isBetween(1, LOOK_AT);
    assertThat(runningJson.get("fromRound")).hasSizeBetween(1, LOOK_AT);
  }

  @Tag("browser")
  @Test
  void training_thatRuns_isShownInABrowser() {
    assertThat(browserFailure).isEmpty();
    Chromium.Page page = runningPage.orElseThrow();
    assertThat(page.console()).isEmpty();
    assertThat(page.dom())
        .contains("running; policy adaptive", "Rows of a round by executor", "<svg")
        .doesNotContain("There are no rounds");
  }

  @Test
  void training_figures_areThoseOfTheRoundLog() {
    JsonNode shown = liveJson.get(DESCENT);
    Map<String, Double> kernelSeconds = new HashMap<>();
    Map<String, Long> movedBytes = new HashMap<>();
    long byMessage = 0;
    double seconds = 0;
    for (JsonNode round : rounds) {
      byMessage += round.get("execution").asText().equals("resident") ? 1 : 0;
      seconds += round.get("nanos").asLong() / 1e9;
      for (JsonNode worker : round.get("workers")) {
        String id = worker.get("id").asText();
        kernelSeconds.merge(id, worker.get("kernelNanos").asLong() / 1e9, Double::sum);
        long moved = worker.get("movedBytes").asLong() + worker.get("fetchedBytes").asLong();
        movedBytes.merge(id, moved, Long::sum);
      }
    }

    assertThat(shown.get("roundsByMessage").asLong()).isEqualTo(byMessage);
    assertThat(shown.get("seconds").asDouble()).isCloseTo(seconds, within(0.05 * seconds));
    assertThat(shown.get("executors")).hasSize(TestCluster.EXECUTORS);
    for (JsonNode executor : shown.get("executors")) {
      String id = executor.get("executor").asText();
      assertThat(executor.get("kernelSeconds").asDouble())
          .isCloseTo(kernelSeconds.get(id), within(1e-6 * rounds.size()));
      assertThat(executor.get("movedBytes").asLong()).isEqualTo(movedBytes.get(id));
    }
  }

  @Test
  void training_figures_areThoseOfTheReport() {
    JsonNode shown = liveJson.get(SLOWING);
    double seconds = shown.get("seconds").asDouble();
    int count = shown.get("rounds").asInt();
    String all = count + " rounds in " + ReportText.seconds(seconds) + " s";
    String round = ReportText.seconds(seconds / count) + " s a round; packing took ";
    double saved = shown.get("savedSeconds").asDouble();
    String even = ReportText.seconds(seconds + saved);
    boolean isCertain =
        shown.get("savedLow").asDouble() > 0 || shown.get("savedHigh").asDouble() < 0;
    assertThat(shown.get("report").get(0).asText())
        .startsWith("Spark ATA ran training 4: " + shown.get("name").asText() + ": " + all + "; ")
        .contains("even shares: " + (isCertain ? even + " s (" : "no certain difference"));
    assertThat(shown.get("report").get(1).asText())
        .contains(round + ReportText.seconds(shown.get("packSeconds").asDouble()) + " s")
        .contains("(executor " + SLOW + ")");
    assertThat(livePages.get(SLOWING))
        .contains(all + ", ")
        .contains(isCertain ? ReportText.seconds(saved) + " s (" : "even shares: nothing certain<");
  }

  /** The fit's first evaluation, which packs, is none of its rounds. */
  @Test
  void overview_sums_areTheMetrics() {
    JsonNode all = liveJson.get("").get("trainings");
    assertThat(gauge("trainings")).isEqualTo(all.size());
    assertThat(gauge("leftToSpark")).isEqualTo(1);
    assertThat(gauge("rounds")).isEqualTo(sum(all, "rounds") + 1);
    assertThat(gauge("roundsByMessage")).isEqualTo(sum(all, "roundsByMessage"));
    assertThat(gauge("roundSeconds")).isCloseTo(sum(all, "seconds"), within(1e-3));
    assertThat(gauge("packSeconds")).isCloseTo(sum(all, "packSeconds"), within(1e-3));
    assertThat(gauge("savedSeconds")).isCloseTo(sum(all, "savedSeconds"), within(1e-3));
  }

  private double gauge(String metric) {
    String name = id + ".driver.plugin.io.sparkata.AtaPlugin." + metric;
    return gauges.get(name).get("value").asDouble();
  }

  private static double sum(JsonNode trainings, String figure) {
    return StreamSupport.stream(trainings.spliterator(), false)
        .mapToDouble(one -> one.path(figure).asDouble())
        .sum();
  }

  @Test
  void training_slowExecutor_isSaid() {
    JsonNode left = slowest(DESCENT);
    assertThat(left.get("share").asDouble()).isLessThan(0.5);
    if (left.has("relativeSpeed")) {
      assertThat(left.get("relativeSpeed").asDouble()).isLessThan(0.2);
    } else { // it had rows in four rounds or fewer
      assertThat(livePages.get(DESCENT)).contains("not known");
    }
    assertThat(slowest(SLOWING).get("relativeSpeed").asDouble()).isLessThan(0.6);

    assertThat(livePages.get("executor/?id=" + SLOW))
        .containsPattern(
            "Executor 1 on \\S+ computes [0-9.]+ times slower than the median, [0-9.]+ times slower"
                + " than before round \\d+ [^;]+; it gets (0\\.9|1\\.0)\\d of an even share in training 4");
    assertThat(livePages.get(DESCENT))
        .contains("Rows of a round by executor", "waiting for the slowest executor", "<svg")
        .contains("<title>executor " + SLOW + "</title>");
  }

  private JsonNode slowest(String training) {
    return StreamSupport.stream(liveJson.get(training).get("executors").spliterator(), false)
        .filter(one -> one.get("executor").asText().equals(SLOW))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void overview_executorThatSlowedDown_isNamed() {
    JsonNode changes = liveJson.get("").get("trainings").get(3).get("changes");
    assertThat(changes).hasSize(1);
    assertThat(changes.get(0).get("executor").asText()).isEqualTo(SLOW);
    assertThat(changes.get(0).get("change").asDouble()).isBetween(0.1, 0.6);
    assertThat(changes.get(0).get("sinceRound").asInt()).isBetween(20, 40);
    assertThat(livePages.get(""))
        .containsPattern(
            "<a href=\"executor/\\?id=1\">Executor 1</a> on \\S+: [0-9.]+ times slower than before"
                + " round [23]\\d [^<]+ of <a href=\"training/\\?id=4\">training 4</a>");
  }

  @Test
  void pages_hostileText_isEscaped() {
    for (String page : PAGES) {
      assertThat(livePages.get(page)).doesNotContain("<script>alert");
    }
    assertThat(livePages.get("training/?id=1")).contains("&lt;script&gt;alert(");
  }

  @Test
  void history_afterwards_showsTheSame() throws IOException, InterruptedException {
    for (String page : PAGES) {
      assertThat(Web.json(history + jsonOf(page))).isEqualTo(liveJson.get(page));
      assertThat(contentOf(Web.get(history + page))).isEqualTo(contentOf(livePages.get(page)));
    }
  }

  @Tag("browser")
  @Test
  void history_inABrowser_hasNoError() throws IOException, InterruptedException {
    for (String page : PAGES) {
      String name = "history-" + page.replaceAll("\\W+", "-");
      Chromium.Page opened = Chromium.open(history + page, name);
      assertThat(opened.console()).as(page).isEmpty();
      assertThat(opened.dom()).as(page).contains("ATA</a>").doesNotContain("<script>alert");
    }
  }

  /** Ours: Spark's header has other links there, and its footer the time. */
  private static String contentOf(String page) {
    int footer = page.indexOf("<footer");
    return page.substring(page.indexOf("<p>"), footer < 0 ? page.length() : footer);
  }

  @Test
  void training_unknown_saysSo() throws IOException, InterruptedException {
    assertThat(Web.get(history + "training/?id=99")).contains("There is no such training.");
    assertThat(Web.get(history + "training/?id=x")).contains("There is no such training.");
    assertThat(Web.get(history + "training/")).contains("There is no such training.");
    assertThat(Web.json(history + "training/json?id=99").get("error").asText())
        .isEqualTo("There is no such training.");
    assertThat(Web.get(history + "executor/?id=99"))
        .contains("None of the last 20 trainings has this executor.");
  }
}
