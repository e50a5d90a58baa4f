package io.sparkata.observation;

import io.sparkata.report.ObservedSummary;
import io.sparkata.report.SavedSeconds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rounds of one training by Spark. One thread. */
public final class ObservedRounds {
  /** So many rounds are kept, the last ones: enough for the share of time that is saved. */
  static final int KEPT = 100;

  private final Deque<ObservedRound> recent = new ArrayDeque<>();
  private int finished;
  private double seconds;
  private double cachingSeconds;

  /** Adds a round; of a first one that caches the data, the tasks say nothing about later ones. */
  public void add(ObservedRound round, boolean isCaching) {
    seconds += round.seconds();
    finished++;
    if (finished == 1 && isCaching) {
      cachingSeconds = round.seconds();
      return;
    }
    recent.addLast(round);
    if (recent.size() > KEPT) {
      recent.removeFirst();
    }
  }

  /** The last ones, without one that cached the data. */
  List<ObservedRound> kept() {
    return List.copyOf(recent);
  }

  /** What the first round took if it cached the data, else 0. */
  double cachingSeconds() {
    return cachingSeconds;
  }

  /** How many rounds have ended. */
  public int finished() {
    return finished;
  }

  /**
   * What allocation would have saved in all rounds.
   *
   * @param slots tasks that each executor runs at once; 1 for those that are not named
   */
  public ObservedSummary summary(Map<String, Integer> slots) {
    Saving saving = Saving.of(kept(), slots);
    // The rounds that were kept are the last ones; those before them were alike.
    double alike = (seconds - cachingSeconds) / saving.seconds();
    Optional<SavedSeconds> all = saving.saved().map(kept -> kept.times(alike));
    return new ObservedSummary(finished, seconds, all, saving.speeds(), saving.slowest());
  }
}
