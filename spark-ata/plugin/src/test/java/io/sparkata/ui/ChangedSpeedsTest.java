package io.sparkata.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.events.Rounds;
import io.sparkata.events.RoundsCompleted;
import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.events.TrainingStarted;
import io.sparkata.spark.UiStore;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.util.kvstore.InMemoryStore;
import org.junit.jupiter.api.Test;

/** What the pages say of an executor that slows down. */
class ChangedSpeedsTest {
  private final UiStore store = new UiStore(new InMemoryStore());
  private final Trainings trainings = new Trainings(store, /* isOver= */ false);
  private final TrainingListener listener = new TrainingListener(store);

  /** 100 rounds of a second; from round 41 on the executor is four times slower. */
  private void start(long training, String executor) {
    listener.onOtherEvent(new TrainingStarted(training, 0, "fit", "lbfgs", "adaptive"));
    List<Rounds> sums = new ArrayList<>();
    for (int round = 1; round <= 100; round++) {
      sums.add(
          new Rounds(
              round,
              /* count= */ 1,
              /* byMessage= */ 0,
              /* micros= */ 1_000_000,
              /* longestMicros= */ 900_000,
              List.of("1", executor, "3"),
              new long[] {100, 200, 300},
              new long[] {800_000, round <= 40 ? 200_000 : 800_000, 800_000},
              new long[3],
              new long[3]));
    }
    listener.onOtherEvent(new RoundsCompleted(training, /* time= */ 100_000, sums));
  }

  private void end(long training) {
    listener.onOtherEvent(
        new TrainingEnded(
            training, 100_000, Outcome.ALLOCATED, 100, 100, 1, 3.0, 2.0, null, List.of()));
  }

  private String overview() {
    return new OverviewPage(trainings).html(name -> null);
  }

  private String json() {
    return new OverviewPage(trainings).json(name -> null).toString();
  }

  private static String list(String overview) {
    return overview.substring(overview.indexOf("<ul>"), overview.indexOf("</ul>"));
  }

  @Test
  void overview_executorThatSlowed_isNamedWithItsRound() {
    start(1, "<7>");
    String change = "4.0 times slower than before round 41 (" + RoundTimes.ofDay(40_000) + ")";
    String list =
        "<ul><li><a href=\"executor/?id=&lt;7&gt;\">Executor &lt;7&gt;</a>: "
            + change
            + " of <a href=\"training/?id=1\">training 1</a></li>";

    assertThat(list(overview())).isEqualTo(list);
    assertThat(json())
        .contains(
            "\"changes\":[{\"executor\":\"<7>\",\"change\":0.25,\"sinceRound\":41,"
                + "\"time\":40000}]");
    assertThat(new TrainingPage(trainings).html(name -> "1")).contains("<td>" + change + "</td>");

    end(1);
    assertThat(list(overview())).isEqualTo(list);
    assertThat(trainings.get(1).orElseThrow().changes()).hasSize(1);
  }

  @Test
  void overview_manyChanges_showsTheLastFive() {
    for (int training = 1; training <= 8; training++) {
      start(training, "2");
      end(training);
    }
    assertThat(list(overview()).split("4.0 times slower", -1)).hasSize(6);
    assertThat(overview()).contains("<li>3 earlier ones</li>");
  }

  /** The rounds of the first trainings are dropped; what was known at their ends stays. */
  @Test
  void changes_ofATrainingWithoutRounds_areKept() {
    start(1, "2");
    end(1);
    store.remove(StoredRounds.class, StoredRounds.TRAINING, 1L);

    assertThat(list(overview())).contains("Executor 2", "round 41");
  }

  @Test
  void overview_noChange_hasNoList() {
    listener.onOtherEvent(new TrainingStarted(1, 0, "fit", "lbfgs", "adaptive"));
    end(1);

    assertThat(overview()).contains("training/?id=1").doesNotContain("<ul>");
    assertThat(json()).contains("\"changes\":[]");
  }
}
