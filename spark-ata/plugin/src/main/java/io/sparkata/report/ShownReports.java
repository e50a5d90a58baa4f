package io.sparkata.report;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which reports a user sees: of each call site the first ten, then one a minute, since a stream
 * trains with every batch; of each reason to leave a call site's trainings to MLlib the first, and
 * the first at another storage level. Thread-safe.
 */
final class ShownReports {
  static final int FIRST = 10;
  static final Duration PAUSE = Duration.ofMinutes(1);

  /** Call sites and reasons remembered; beyond, the oldest is forgotten and shown anew. */
  private static final int KEPT = 1000;

  private final Map<String, Shown> bySite = bounded();
  private final Map<String, Boolean> reasons = bounded();

  private static final class Shown {
    private int trainings;
    private long lastNanos;
  }

  private static <V> Map<String, V> bounded() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > KEPT;
      }
    };
  }

  /**
   * Whether this training is shown.
   *
   * @param nowNanos of a clock that never goes back
   */
  synchronized boolean takes(String site, long nowNanos) {
    Shown shown = bySite.computeIfAbsent(site, unused -> new Shown());
    shown.trainings++;
    if (shown.trainings > FIRST && nowNanos - shown.lastNanos < PAUSE.toNanos()) {
      return false;
    }
    shown.lastNanos = nowNanos;
    return true;
  }

  /**
   * Whether this is the first training that is left for this reason there, of data that are
   * persisted so.
   */
  synchronized boolean takesReason(Caller caller, String reason) {
    return reasons.put(reason + " " + caller.site() + " " + caller.level(), true) == null;
  }
}
