package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.events.CachedStages;
import io.sparkata.events.Rounds;
import io.sparkata.events.RoundsCompleted;
import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.events.TrainingLeft;
import io.sparkata.events.TrainingStarted;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.Chromium;
import io.sparkata.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.cluster.ExecutorInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tab in a browser, of trainings on 2 and on 1,000 executors whose names try to run scripts.
 */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrowserIT {
  private static final String HOSTILE =
      "'\"><img src=x onerror=\"document.documentElement.setAttribute('data-hacked', 1)\">"
          + "<script>document.documentElement.setAttribute('data-hacked', 1)</script>";
  private static final String HACKED = "<html[^>]*data-hacked";
  private static final int SUMS = 600;
  private static final int ROUNDS_OF_A_SUM = 16;

  private JavaSparkContext spark;
  private String tab;

  @BeforeAll
  void train() {
    spark =
        LocalSpark.start(
            Map.of("spark.ui.enabled", "true", "spark.ui.port", "0", "spark.app.name", HOSTILE));
    tab = spark.sc().uiWebUrl().get() + "/ata/";
    SparkListeners.post(
        spark.sc(),
        new SparkListenerExecutorAdded(
            5, "1", new ExecutorInfo(HOSTILE, 1, scala.collection.immutable.Map$.MODULE$.empty())));
    SparkListeners.post(spark.sc(), new SparkListenerExecutorRemoved(6, "1", HOSTILE));
    SparkListeners.post(
        spark.sc(),
        new CachedStages(7, 9, HOSTILE, /* isBalanced= */ true, 3, 20, 2, 3, 4_500_000));
    training(spark.sc(), /* id= */ 1, /* executors= */ 2);
    training(spark.sc(), /* id= */ 2, /* executors= */ 1000);
    SparkListeners.post(
        spark.sc(), new TrainingLeft(3, 5, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE));
    SparkListeners.awaitListeners(spark.sc(), /* millis= */ 60_000);
  }

  @AfterAll
  void stop() {
    spark.close();
  }

  /** Executor i has i + 1 rows in each round and takes as long as the others. */
  private static void training(SparkContext context, long id, int executors) {
    SparkListeners.post(context, new TrainingStarted(id, 5, HOSTILE, HOSTILE, HOSTILE));
    List<String> ids = IntStream.range(0, executors).mapToObj(Integer::toString).toList();
    long[] rows = IntStream.range(0, executors).mapToLong(i -> 16L * (i + 1)).toArray();
    long[] kernel = new long[executors];
    Arrays.fill(kernel, 80_000);
    for (int sum = 0; sum < SUMS; sum++) {
      Rounds rounds =
          new Rounds(
              1 + sum * ROUNDS_OF_A_SUM,
              ROUNDS_OF_A_SUM,
              ROUNDS_OF_A_SUM,
              /* micros= */ 100_000,
              /* longestMicros= */ 90_000,
              ids,
              rows,
              kernel,
              new long[executors],
              new long[executors]);
      SparkListeners.post(context, new RoundsCompleted(id, 6, List.of(rounds)));
    }
    SparkListeners.post(
        context,
        new TrainingEnded(
            id,
            7,
            Outcome.ALLOCATED,
            SUMS * ROUNDS_OF_A_SUM,
            60,
            1,
            9.0,
            8.0,
            10.0,
            List.of(HOSTILE)));
  }

  private String open(String page, String name) throws IOException, InterruptedException {
    Chromium.Page opened = Chromium.open(tab + page, name);
    assertThat(opened.console()).as(page).isEmpty();
    assertThat(opened.dom()).as(page).doesNotContainPattern(HACKED);
    assertThat(Files.size(opened.screenshot())).as(page).isGreaterThan(20_000);
    return opened.dom();
  }

  @Test
  void overview_hostileNames_areText() throws IOException, InterruptedException {
    String dom = open("", "overview");

    assertThat(dom).contains("3 trainings", "&lt;img src=x", "training/?id=2");
  }

  @Test
  void training_twoExecutors_hasItsCharts() throws IOException, InterruptedException {
    String dom = open("training/?id=1", "training-2-executors");

    assertThat(dom.split("<svg", -1)).hasSize(5);
    assertThat(dom)
        .contains("executor/?id=1", "<title>executor 0</title>")
        .contains("executor 1 removed", ", removed at ", ": '\"&gt;&lt;img src=x");
  }

  @Test
  void training_thousandExecutors_showsTheSlowestAndTheFastest()
      throws IOException, InterruptedException {
    String dom = open("training/?id=2", "training-1000-executors");

    assertThat(dom).contains("the other 989 executors", "<title>executor 999</title>");
  }

  @Test
  void executor_ofBoth_hasItsSentence() throws IOException, InterruptedException {
    String dom = open("executor/?id=1", "executor");

    assertThat(dom).contains("Executor 1 on '\"&gt;&lt;img src=x", "; it computed ");
  }

  @Test
  void cache_hostileName_isText() throws IOException, InterruptedException {
    String dom = open("cache/?", "cache");

    assertThat(dom).contains("'\"&gt;&lt;img src=x", ">4.5<");
  }

  /** So that the tests above can fail. */
  @Test
  void page_thatRunsItsText_isFound(@TempDir Path folder) throws IOException, InterruptedException {
    String broken = "<html><body>" + HOSTILE + "<script>console.error('broken')</script>";
    Path file = Files.writeString(folder.resolve("broken.html"), broken);
    Chromium.Page page = Chromium.open(file.toUri().toString(), "broken");

    assertThat(page.dom()).containsPattern(HACKED);
    assertThat(page.console()).anyMatch(line -> line.contains("broken"));
  }
}
