package io.sparkata.observation;

import io.sparkata.report.ObservedSummary;
import io.sparkata.report.SavedSeconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rounds of one training by Spark. All are counted; of long trainings, or rounds of many tasks,
 * every second, fourth, ... is kept, so that memory is bounded and all times of the training are in
 * what is learned. One thread.
 */
public final class ObservedRounds {
  /** Of long trainings so many rounds are kept, and at most twice as many. */
  static final int KEPT = 100;

  /** With more tasks than these, fewer rounds are kept. */
  static final int MOST_TASKS = 20_000;

  /** So many rounds may be kept, however many tasks they have; half of them stay. */
  static final int FEW = 4 * SavedSeconds.LEAST_ROUNDS;

  private final List<ObservedRound> kept = new ArrayList<>();
  private int every = 1;
  private int tasks; // kept
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
    if (finished % every != 0) {
      return;
    }
    kept.add(round);
    tasks += round.tasks().size();
    boolean isMuch = tasks > MOST_TASKS && kept.size() >= FEW;
    if (kept.size() > 2 * KEPT || isMuch) {
      every *= 2;
      for (int i = kept.size() - 1; i >= 0; i -= 2) {
        kept.remove(i);
      }
      tasks = kept.stream().mapToInt(one -> one.tasks().size()).sum();
    }
  }

  /** Those that are kept, without one that cached the data. */
  List<ObservedRound> kept() {
    return List.copyOf(kept);
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
    double alike = // the others are like those that are kept
        (seconds - cachingSeconds) / saving.seconds();
    Optional<SavedSeconds> all = saving.saved().map(kept -> kept.times(alike));
    return new ObservedSummary(finished, seconds, all, saving.speeds(), saving.slowest());
  }
}
