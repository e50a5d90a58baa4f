package io.sparkata.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparkata.events.Rounds;
import io.sparkata.events.RoundsCompleted;
import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.events.TrainingLeft;
import io.sparkata.events.TrainingStarted;
import java.lang.reflect.Constructor;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Date;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.status.ExecutorSummaryWrapper;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.junit.jupiter.api.Test;
import scala.Option;

/** The page of one training, and its JSON. */
class TrainingPageTest extends PostedTrainings {
  /** As Spark's own pages show executor 1. */
  @SuppressWarnings("JavaUtilDate") // Spark's
  private void shown(long removed, String reason) throws ReflectiveOperationException {
    Constructor<?> constructor = ExecutorSummary.class.getConstructors()[0];
    Deque<Object> texts = new ArrayDeque<>(List.of("1", "node-7:7077"));
    Deque<Object> options = // of removal, then of metrics
        new ArrayDeque<>(List.of(Option.apply(new Date(removed)), Option.apply(reason)));
    Object[] values =
        Arrays.stream(constructor.getParameterTypes())
            .map(
                type ->
                    switch (type.getSimpleName()) {
                      case "String" -> texts.poll();
                      case "Option" -> options.isEmpty() ? Option.empty() : options.poll();
                      case "Date" -> new Date();
                      case "boolean" -> false;
                      case "int" -> 0;
                      case "long" -> 0L;
                      default -> null;
                    })
            .toArray();
    store.write(new ExecutorSummaryWrapper((ExecutorSummary) constructor.newInstance(values)));
  }

  @Test
  void training_observed_speaksOfTasks() {
    listener.onOtherEvent(new TrainingStarted(1, 10, "fit", "lbfgs", TrainingStarted.OBSERVED));
    rounds(1, 1, 1);
    assertThat(trainingPage())
        .contains("Rows (tasks where Spark counts no rows) of a round by executor")
        .contains("per second of the executors&#39; tasks", "<th scope=\"col\">In tasks</th>")
        .doesNotContain("kernel");
  }

  @Test
  void training_executorRemovedMeanwhile_isSaid() throws ReflectiveOperationException {
    start(1);
    rounds(1, 1, 3);
    assertThat(trainingPage()).contains("<td></td>").doesNotContain("removed");

    shown(/* removed= */ 50, "Command exited with code 137\n at a.b");
    assertThat(trainingPage())
        .contains("node-7, removed at ", ": Command exited with code 137</td>");
    assertThat(new ExecutorPage(trainings).html(name -> "1"))
        .contains(
            "Executor 1 on node-7 was removed at " + RoundTimes.ofDay(50),
            ": Command exited with code 137; it had too few rows to tell its speed in training 1.");
    assertThat(overview())
        .contains(
            "<a href=\"executor/?id=1\">Executor 1</a> on node-7: removed at "
                + RoundTimes.ofDay(50)
                + ": Command exited with code 137</li>");
    assertThat(new OverviewPage(trainings).json(name -> null).get("removedExecutors").toString())
        .startsWith("[{\"executor\":\"1\",\"host\":\"node-7\",\"removeTime\":50,");
    assertThat(new TrainingPage(trainings).json(name -> "1").get("executors").get(0).toString())
        .contains("\"host\":\"node-7\"", "\"removeTime\":50", "\"removeReason\":\"Command exited");

    end(1, Outcome.ALLOCATED, 2);
    shown(/* removed= */ 100, "idle");
    assertThat(trainingPage()).contains("<td>node-7</td>").doesNotContain("removed");
    assertThat(overview()).doesNotContain("removed");
  }

  @Test
  void training_whatHappened_isMarkedAndListed() throws ReflectiveOperationException {
    start(1);
    long end = 100_000;
    for (int first = 1; first < 10; first += 2) { // 5 s each, until 100 s
      List<String> executors = first < 5 ? List.of("1") : List.of("1", "22");
      listener.onOtherEvent(
          new RoundsCompleted(1, end - 5000 * (9 - first) / 2, List.of(sum(first, executors))));
    }
    shown(/* removed= */ 88_000, "lost"); // 3 s into rounds 5 and 6
    listener.onOtherEvent(
        new TrainingLeft(1, 101_000, "fit", "lbfgs", "NO_MEMORY", "memory is short", "advice"));
    listener.onOtherEvent(
        new TrainingEnded(1, 102_000, Outcome.HANDED_OVER, 10, 7, 1, null, null, null, List.of()));

    String page = trainingPage();
    assertThat(items(page))
        .containsExactly(
            "round 5 (" + clock(85_000) + "): executor 22 came",
            "round 6 (" + clock(87_500) + "): executor 1 removed",
            "round 10 (" + clock(97_500) + "): Spark took over: memory is short");
    assertThat(page.split("stroke-dasharray", -1)).as("three in each chart").hasSize(1 + 3 * 4);
    assertThat(page).contains("<title>executor 22 came</title>");
    assertThat(new TrainingPage(trainings).json(name -> "1").get("marks").toString())
        .startsWith("[{\"round\":5,\"text\":\"executor 22 came\"},{\"round\":6,");
  }

  @Test
  void training_failures_areMarkedAtTheLastRound() {
    start(1);
    rounds(1, 1, 1);
    assertThat(trainingPage()).doesNotContain("What happened");
    end(1, Outcome.FAILED, 2);
    assertThat(items(trainingPage()))
        .singleElement()
        .asString()
        .matches("round 2 .*: the training failed");
    end(1, Outcome.HANDED_OVER, 2);
    assertThat(items(trainingPage())).singleElement().asString().endsWith("after an error");
  }

  @Test
  void training_manyExecutorsCame_sumsUpTheLast() {
    start(1);
    for (int round = 1; round <= 100; round += 2) {
      listener.onOtherEvent(
          new RoundsCompleted(1, 99, List.of(sum(round, List.of("1", "9" + round)))));
    }
    List<String> items = items(trainingPage());
    assertThat(items).hasSize(10);
    assertThat(items.get(0)).startsWith("round 3 ").endsWith(": executor 93 came");
    assertThat(items.get(9)).startsWith("round 21 ").endsWith(": 40 executors came from here on");
  }

  private static List<String> items(String page) {
    return Pattern.compile("<li>([^<]*)</li>")
        .matcher(page)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** Every figure of the charts; null where there is none. */
  @Test
  void trainingJson_charts_haveAValueForEachPoint() {
    start(1);
    long[] none = new long[2];
    listener.onOtherEvent(
        new RoundsCompleted(
            1,
            99,
            List.of(
                new Rounds(
                    7,
                    2,
                    0,
                    8_000_000,
                    6_000_000,
                    List.of("1", "22"),
                    new long[] {40, 0},
                    new long[] {4_000_000, 0},
                    new long[] {1_000_000, 0},
                    none))));
    JsonNode json = new TrainingPage(trainings).json(name -> "1");
    assertThat(json.get("fromRound").toString()).isEqualTo("[7]");
    assertThat(json.get("lastRound").asLong()).isEqualTo(8);
    assertThat(json.get("roundMillis").toString()).isEqualTo("[4000.0]");
    assertThat(json.get("kernelMillis").toString()).isEqualTo("[1000.0]");
    assertThat(json.get("fetchMillis").toString()).isEqualTo("[250.0]");
    assertThat(json.get("sparkMillis").toString()).isEqualTo("[1000.0]");
    assertThat(json.get("waitMillis").toString()).isEqualTo("[1750.0]");
    assertThat(json.get("efficiency").toString()).isEqualTo("[0.5]");
    assertThat(json.get("executors").get(0).get("rowsPerRound").toString()).isEqualTo("[20.0]");
    assertThat(json.get("executors").get(0).get("rowsPerSecond").toString()).isEqualTo("[10.0]");
    assertThat(json.get("executors").get(1).get("rowsPerSecond").toString()).isEqualTo("[null]");
    assertThat(new TrainingJson(trainings).of(trainings.get(1).orElseThrow()).has("fromRound"))
        .as("AtaStatus has the rounds elsewhere")
        .isFalse();
  }
}
