package io.sparkata.ui;

import io.sparkata.events.Rounds;
import io.sparkata.events.RoundsCompleted;
import io.sparkata.events.TrainingEnded;
import io.sparkata.events.TrainingEnded.Outcome;
import io.sparkata.events.TrainingStarted;
import io.sparkata.spark.UiStore;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import org.apache.spark.util.kvstore.InMemoryStore;

/** Trainings whose events a listener has written into a store of Spark's UI. */
abstract class PostedTrainings {
  final UiStore store = new UiStore(new InMemoryStore());
  final Trainings trainings = new Trainings(store, /* isOver= */ false);
  final TrainingListener listener = new TrainingListener(store);

  void start(long training) {
    listener.onOtherEvent(
        new TrainingStarted(training, 10 * training, "fit " + training, "lbfgs", "adaptive"));
  }

  void rounds(long training, int first, int executors) {
    listener.onOtherEvent(new RoundsCompleted(training, 99, List.of(sum(first, executors))));
  }

  static Rounds sum(int first, int executors) {
    return sum(first, Collections.nCopies(executors, "1"));
  }

  static Rounds sum(int first, List<String> executors) {
    return new Rounds(
        first,
        /* count= */ 2,
        /* byMessage= */ 1,
        /* micros= */ 5_000_000,
        /* longestMicros= */ 4_000_000,
        executors,
        new long[executors.size()],
        new long[executors.size()],
        new long[executors.size()],
        new long[executors.size()]);
  }

  void end(long training, Outcome outcome, int rounds) {
    listener.onOtherEvent(
        new TrainingEnded(training, 500, outcome, rounds, 7, 1, 3.0, 2.0, null, List.of("line")));
  }

  static String clock(long millis) {
    return Instant.ofEpochMilli(millis)
        .atZone(ZoneId.systemDefault())
        .truncatedTo(ChronoUnit.SECONDS)
        .format(DateTimeFormatter.ofPattern("HH:mm:ss"));
  }

  String overview() {
    return new OverviewPage(trainings).html(name -> null);
  }

  String trainingPage() {
    return new TrainingPage(trainings).html(name -> "1");
  }
}
