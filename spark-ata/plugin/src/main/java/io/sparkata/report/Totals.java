package io.sparkata.report;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All trainings of an application. Trainings may run at the same time: seconds count each moment
 * once, while what trainings save adds up, because each waits for the others' rounds, too.
 * Thread-safe.
 */
public final class Totals {
  private final CoveredTime inRounds = new CoveredTime();
  private final CoveredTime packing = new CoveredTime();
  private final Map<String, Integer> left = new TreeMap<>(); // by reason
  private int trainings;
  private int unknown;
  private long rounds;
  private SavedSeconds saved = SavedSeconds.NOTHING;

  /** Adds the time of a round, in seconds of any clock. */
  public void round(double start, double end) {
    inRounds.add(start, end);
  }

  void packed(double start, double end) {
    packing.add(start, end);
  }

  /**
   * Adds a training that has ended.
   *
   * @param isLeast whether it may have saved more than it knows
   */
  public synchronized void add(int ofRounds, Optional<SavedSeconds> more, boolean isLeast) {
    trainings++;
    rounds += ofRounds;
    unknown += more.isEmpty() || isLeast ? 1 : 0;
    saved = saved.plus(more.orElse(SavedSeconds.NOTHING));
  }

  /** Adds a training, or the rest of one, that is left to Spark. */
  synchronized void addLeft(String reason) {
    left.merge(reason, 1, Integer::sum);
  }

  /** How many of them there are. */
  public synchronized int left() {
    return left.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Those of one reason. */
  synchronized int left(String reason) {
    return left.getOrDefault(reason, 0);
  }

  /** Whether there is anything to say. */
  synchronized boolean isEmpty() {
    return trainings == 0 && left.isEmpty();
  }

  /** How many trainings have ended. */
  public synchronized int trainings() {
    return trainings;
  }

  /** Those of which not all that they saved is known. */
  public synchronized int unknown() {
    return unknown;
  }

  /** Seconds in which at least one training ran a round. */
  public double secondsInRounds() {
    return inRounds.length();
  }

  /** Seconds in which at least one training packed. */
  public double secondsInPacking() {
    return packing.length();
  }

  /** What the trainings saved, or would have saved, as far as it is known. */
  public synchronized SavedSeconds saved() {
    return saved;
  }

  /** The line at the end of an application in which Spark trained. */
  public synchronized String observed() {
    return done("observed in all")
        + "; allocation would have saved "
        + (saved.low() > 0
            ? ReportText.format("%.1f to %.1f s", saved.low(), saved.high())
            : "nothing certain");
  }

  /**
   * The same of one in which Spark ATA trained.
   *
   * @param jobShare our jobs' part of the time in which Spark ran jobs
   */
  synchronized String trained(double jobShare) {
    String reasons =
        left.isEmpty()
            ? ""
            : left.entrySet().stream()
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(", ", "; left to Spark: ", ""));
    if (trainings == 0) {
      return "Spark ATA in all: no training" + reasons;
    }
    String more =
        unknown == 0 ? "" : ", more or not known in " + ReportText.count(unknown, "training");
    return ReportText.format(
        "%s, %.1f s in packing; saved over even shares: %s%s; %.0f %% of Spark's job time was"
            + " Spark ATA's%s",
        done("in all"),
        packing.length(),
        saved.isCertain()
            ? ReportText.format("%.1f s (%.1f to %.1f)", saved.seconds(), saved.low(), saved.high())
            : "nothing certain",
        more,
        100 * jobShare,
        reasons);
  }

  private String done(String what) {
    return ReportText.format(
        "Spark ATA %s: %s, %s, %.1f s in rounds",
        what,
        ReportText.count(trainings, "training"),
        ReportText.count(rounds, "round"),
        inRounds.length());
  }
}
