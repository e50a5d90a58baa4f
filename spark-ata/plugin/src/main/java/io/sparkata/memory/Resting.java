package io.sparkata.memory;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which executors trainings of one application do better without, by their kind: a training goes on
 * where the last one of its kind has ended. Thread-safe.
 */
public final class Resting {
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
   * Trainings whose rounds take about as long.
   *
   * @param kernel the kind of kernel and layout
   * @param weights of the model
   * @param doublings of the rows of a round: the binary logarithm, rounded
   */
  public record Kind(String kernel, int weights, int doublings) {
    /** Of rounds of {@code rows} rows. */
    public static Kind of(String kernel, int weights, double rows) {
      return new Kind(kernel, weights, (int) Math.round(Math.log(Math.max(1, rows)) / Math.log(2)));
    }
  }

  /**
   * What trials have shown.
   *
   * @param groups those who rest, in the order in which they were left out
   * @param seconds of a round when the last trial ended
   * @param savedSeconds of a round, by all trials
   * @param isFewerNext whether the next trial is of fewer, rather than of those who rest
   * @param idle rounds since the last trial
   * @param roundsToWait rounds from the last trial to the next of fewer
   * @param patience rounds from the last trial to the next of those who rest
   */
  public record Found(
      List<List<String>> groups,
      double seconds,
      double savedSeconds,
      boolean isFewerNext,
      int idle,
      int roundsToWait,
      int patience) {}

  /** What the last training of the kind has left; empty for the first. */
  public synchronized Optional<Found> of(Kind kind) {
    return Optional.ofNullable(found.get(kind));
  }

  /** Takes the place of what was known. */
  public synchronized void remember(Kind kind, Found now) {
    found.put(kind, now);
  }
}
