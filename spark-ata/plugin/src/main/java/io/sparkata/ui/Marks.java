package io.sparkata.ui;

import io.sparkata.events.TrainingEnded.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What happened in a training: executors that came, were removed, or whose speed changed, and where
 * Spark took over.
 */
final class Marks {
  /** Of executors that came or were removed; more are summed up. */
  private static final int MOST = 10;

  private Marks() {}

  /** In the order of their rounds. */
  static List<Mark> of(Trainings trainings, StoredTraining one, History history, RoundTimes times) {
    List<Mark> marks = new ArrayList<>();
    Map<Long, List<String>> came = new TreeMap<>();
    Map<Long, List<String>> removed = new TreeMap<>();
    for (int i = 0; i < history.executors().size(); i++) {
      String id = history.executors().get(i);
      add(came, history.firstRound(i), id);
      times
          .change(history, i)
          .ifPresent(
              it ->
                  marks.add(new Mark(it.round(), "executor " + id + " became " + it.factorText())));
      trainings
          .removed(one, id)
          .ifPresent(it -> add(removed, times.roundAt(it.removed(), history.last()), id));
    }
    came.remove(history.first()); // when it began
    add(marks, came, "came");
    add(marks, removed, "removed");
    end(marks, one, history, times);
    marks.sort(Comparator.comparingLong(Mark::round));
    return marks;
  }

  private static void add(Map<Long, List<String>> byRound, long round, String executor) {
    byRound.computeIfAbsent(round, unused -> new ArrayList<>()).add(executor);
  }

  /** Those of one round are one mark; of more marks than {@value #MOST} the last ones are one. */
  private static void add(List<Mark> marks, Map<Long, List<String>> byRound, String what) {
    int count = 0;
    int others = 0;
    for (Map.Entry<Long, List<String>> some : byRound.entrySet()) {
      count++;
      if (count < MOST || byRound.size() == MOST) {
        List<String> ids = some.getValue();
        String who =
            ids.size() == 1 ? "executor " + ids.get(0) : Html.count(ids.size(), "executor");
        marks.add(new Mark(some.getKey(), who + " " + what));
      } else {
        others += some.getValue().size();
      }
    }
    if (others > 0) {
      String text = Html.count(others, "executor") + " " + what + " from here on";
      marks.add(
          new Mark(byRound.keySet().stream().skip(MOST - 1L).findFirst().orElseThrow(), text));
    }
  }

  private static void end(List<Mark> marks, StoredTraining one, History history, RoundTimes times) {
    if (one.left() != null) {
      long round = times.roundAt(one.left().time(), history.last());
      marks.add(new Mark(round, "Spark took over: " + one.left().text()));
    } else if (one.ended() != null && one.ended().outcome() == Outcome.HANDED_OVER) {
      marks.add(new Mark(history.last(), "Spark took over after an error"));
    } else if (one.ended() != null && one.ended().outcome() == Outcome.FAILED) {
      marks.add(new Mark(history.last(), "the training failed"));
    }
  }
}
