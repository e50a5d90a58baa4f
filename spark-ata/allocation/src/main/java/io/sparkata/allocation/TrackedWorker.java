package io.sparkata.allocation;

/** What {@code adaptive} knows of one worker. Times are in the caller's unit. */
final class TrackedWorker {

  private final AdaptiveTuning tuning;
  private final ChangeDetector detector;
  private final WorkSums sums = new WorkSums();
  private final RoundOverhead overhead = new RoundOverhead();

  /** Collected since the last {@link #learn}: each slot of a worker reports separately. */
  private final Work finished = new Work();

  private final Work killed = new Work();

  /** The last round learned from. */
  private final Work last = new Work();

  private Prior prior;
  private boolean isPriorInSums;
  private boolean hasFinished;
  private double lastRatio = 1;
  private long lastRound;

  /** Units, and the time that they took. */
  private static final class Work {
    private double units;
    private double time;

    private void add(double moreUnits, double moreTime) {
      units += moreUnits;
      time += moreTime;
    }

    private void set(double newUnits, double newTime) {
      units = newUnits;
      time = newTime;
    }

    private double timePerUnit() {
      return time / units;
    }
  }

  /**
   * A worker of which nothing is known.
   *
   * @param round the last round allocated, to which the first observations belong and from which
   *     the rest counts
   */
  TrackedWorker(AdaptiveTuning tuning, long round) {
    this.tuning = tuning;
    detector = new ChangeDetector(tuning);
    lastRound = round;
  }

  /** Takes a prior, which the first round of the worker may overrule. */
  void believe(Prior belief) {
    prior = belief;
    sums.add(belief);
    isPriorInSums = true;
    hasFinished = true;
  }

  /** Collects finished work until {@link #learn}. */
  void finish(double units, double time) {
    finished.add(units, time);
  }

  /** Collects work that was killed. */
  void kill(double units, double time) {
    killed.add(units, time);
  }

  /** Whether any work was collected. */
  boolean hasNews() {
    return finished.units > 0 || killed.units > 0;
  }

  /** Whether there is an estimate. */
  boolean isKnown() {
    return sums.units() > 0;
  }

  /** The observations and pseudo-counts behind the estimate. */
  WorkSums sums() {
    return sums;
  }

  /** Its overhead per round. */
  RoundOverhead overhead() {
    return overhead;
  }

  /** Time per unit; NaN if unknown. */
  double meanTime() {
    if (isKnown()) {
      return sums.meanTime();
    }
    return finished.units > 0 ? finished.timePerUnit() : killed.timePerUnit();
  }

  /** Forgets everything, so the worker is explored again. */
  void forget() {
    overhead.forget();
    sums.clear();
    detector.clear();
    hasFinished = false;
  }

  /**
   * Expects times that are longer by a factor, with the weight of one round; the next round may
   * overrule that.
   */
  void expect(double factor) {
    Prior expected = new Prior(sums.meanTime() * factor, sums.unitsOfRound());
    overhead.restart();
    sums.clear();
    sums.add(expected);
    detector.clear();
    hasFinished = false;
  }

  /** The new time per unit over the old one at the last change. */
  double lastRatio() {
    return lastRatio;
  }

  /** Forgets the prior; what was observed stays. */
  void disbelieve() {
    prior = null;
    if (isPriorInSums) {
      isPriorInSums = false;
      sums.removePriors();
      hasFinished &= sums.hasRounds();
    }
  }

  /** The prior, or null. */
  Prior prior() {
    return prior;
  }

  /** Whether there is both a prior and an observation to compare it with. */
  boolean isPriorTested() {
    return prior != null && sums.hasRounds();
  }

  /** The worker has work in this round. Its overhead from before a rest is out of date. */
  void work(long round) {
    if (restedRounds(round) > 0) {
      overhead.restart();
    }
    lastRound = round;
  }

  boolean hasWorkedIn(long round) {
    return lastRound == round;
  }

  /** Consecutive rounds without work before {@code round}. */
  long restedRounds(long round) {
    return round - 1 - lastRound;
  }

  /**
   * Learns what was collected, as one round.
   *
   * @return whether the worker's speed has changed
   */
  boolean learn(TimeNoise noise) {
    boolean hasChanged = false;
    overhead.learn();
    if (killed.units > 0) {
      hasChanged = learnLowerBound(killed.units, killed.time, noise);
      killed.set(0, 0);
    }
    if (finished.units > 0) {
      hasChanged |= learn(finished.units, finished.time, noise);
      finished.set(0, 0);
    }
    return hasChanged;
  }

  /** A lower bound of a time is ignored unless it is above the expected time. */
  private boolean learnLowerBound(double units, double time, TimeNoise noise) {
    if (isKnown() && time <= units * sums.meanTime()) {
      return false;
    }
    if (hasFinished) {
      return learn(units, time, noise);
    }
    startFrom(units, time);
    return false;
  }

  private boolean learn(double units, double time, TimeNoise noise) {
    if (!hasFinished) {
      startFrom(units, time);
      hasFinished = true;
      return false;
    }
    double residual =
        relative(time, units * sums.meanTime()) / noise.deviation(units, sums.units());
    double old = sums.meanTime();
    if (!sums.hasRounds() && Math.abs(residual) > tuning.residualClip()) {
      startFrom(units, time);
      lastRatio = sums.meanTime() / old;
      return true;
    }
    if (last.units > 0 && sums.hasRounds()) {
      double difference = time / units - last.timePerUnit();
      noise.add(difference / sums.ownMeanTime(), units, last.units);
    }
    last.set(units, time);
    sums.add(units, time);
    if (detector.hasChanged(residual, units, time)) {
      detector.restart(sums);
      lastRatio = sums.meanTime() / old;
      overhead.keepLatest();
      isPriorInSums = false;
      return true;
    }
    return false;
  }

  /** The relative error of a time. For a shorter time the logarithm, which has no bound of -1. */
  private static double relative(double time, double expected) {
    return time < expected ? Math.log(time / expected) : time / expected - 1;
  }

  private void startFrom(double units, double time) {
    sums.clear();
    sums.add(units, time);
  }
}
