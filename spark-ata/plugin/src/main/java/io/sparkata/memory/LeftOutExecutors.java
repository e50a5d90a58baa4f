package io.sparkata.memory;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The executors that trainings of one application leave out because rounds are shorter without
 * them, by kind of training. A training continues where the last one of its kind ended.
 * Thread-safe.
 */
public final class LeftOutExecutors {
  private static final int MOST_KINDS = 100;

  private final Map<Kind, Found> found =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, Found> eldest) {
          return size() > MOST_KINDS;
        }
      };

  /**
   * A kind of training, whose rounds take about the same time.
   *
   * @param kernel the kind of kernel and layout
   * @param weights of the model
   * @param doublings of the rows of a round: the binary logarithm, rounded
   */
  public record Kind(String kernel, int weights, int doublings) {
    /** The kind for rounds of {@code rows} rows. */
    public static Kind of(String kernel, int weights, double rows) {
      return new Kind(kernel, weights, (int) Math.round(Math.log(Math.max(1, rows)) / Math.log(2)));
    }
  }

  /**
   * The result of trials.
   *
   * @param groups groups of executors, in the order in which they were left out
   * @param seconds of a round when the last trial ended
   * @param savedSeconds saved per round, by all trials
   * @param isFewerNext whether the next trial is of fewer executors, rather than of more
   * @param idle rounds since the last trial
   * @param roundsToWait rounds from the last trial to the next of fewer
   * @param patience rounds from the last trial to the next of more
   */
  public record Found(
      List<List<String>> groups,
      double seconds,
      double savedSeconds,
      boolean isFewerNext,
      int idle,
      int roundsToWait,
      int patience) {

    /** Before the first trial. */
    public static Found nothing(int patience) {
      return new Found(List.of(), 0, 0, /* isFewerNext= */ true, 0, 0, patience);
    }

    /** The executors left out, group by group. */
    public Set<String> executors() {
      Set<String> all = new LinkedHashSet<>();
      groups.forEach(all::addAll);
      return all;
    }

    /** The same with other executors left out. */
    public Found withGroups(List<List<String>> others) {
      double saved = others.isEmpty() ? 0 : savedSeconds;
      return new Found(others, seconds, saved, isFewerNext, idle, roundsToWait, patience);
    }

    /** The same with other waiting times. */
    public Found waiting(int newIdle, int newRoundsToWait, int newPatience) {
      return new Found(
          groups, seconds, savedSeconds, isFewerNext, newIdle, newRoundsToWait, newPatience);
    }
  }

  /** What the last training of the kind found; empty for the first. */
  public synchronized Optional<Found> of(Kind kind) {
    return Optional.ofNullable(found.get(kind));
  }

  /** Replaces the last result. */
  public synchronized void remember(Kind kind, Found now) {
    found.put(kind, now);
  }
}
