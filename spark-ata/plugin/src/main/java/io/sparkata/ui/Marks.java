package io.sparkata.ui;

import io.sparkata.events.TrainingEnded.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What happened in a training: executors that came, were removed, or whose speed changed, and where
 * Spark took over.
 */
final class Marks {
  /** Of more the first and the last ones. */
  private static final int MOST = 20;

  private Marks() {}

  /** In the order of their rounds. */
  static List<Mark> of(Trainings trainings, StoredTraining one, History history, RoundTimes times) {
    List<Mark> marks = new ArrayList<>();
    for (int i = 0; i < history.executors().size(); i++) {
      String executor = "executor " + history.executors().get(i);
      long came = history.firstRound(i);
      if (came > history.first()) {
        marks.add(new Mark(came, executor + " came"));
      }
      times
          .change(history, i)
          .ifPresent(
              it -> marks.add(new Mark(it.round(), executor + " became " + it.factorText())));
      trainings
          .removed(one, history.executors().get(i))
          .ifPresent(
              it -> marks.add(new Mark(times.roundAt(it.removed()), executor + " was removed")));
    }
    if (one.left() != null) {
      marks.add(
          new Mark(times.roundAt(one.left().time()), "Spark took over: " + one.left().text()));
    } else if (one.ended() != null && one.ended().outcome() == Outcome.HANDED_OVER) {
      marks.add(new Mark(history.last(), "Spark took over after an error"));
    } else if (one.ended() != null && one.ended().outcome() == Outcome.FAILED) {
      marks.add(new Mark(history.last(), "the training failed"));
    }
    marks.sort(Comparator.comparingLong(Mark::round));
    if (marks.size() > MOST) {
      marks.subList(MOST / 2, marks.size() - MOST / 2).clear();
    }
    return marks;
  }
}
