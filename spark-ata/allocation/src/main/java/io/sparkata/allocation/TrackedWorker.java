package io.sparkata.allocation;

/** What {@code adaptive} knows of one worker. DoubleBisection in the caller's unit. */
final class TrackedWorker {

  private final AdaptiveTuning tuning;
  private final ChangeDetector detector;
  private final WorkSums sums = new WorkSums();
  private final FixedTime fixedTime = new FixedTime();
  private double finishedUnits;
  private double finishedTime;
  private double killedUnits;
  private double killedTime;
  private double collectedFixed = -1;
  private double burden;
  private Prior prior;
  private boolean isPriorInSums;
  private boolean hasFinished;
  private long lastRound;
  private double lastUnits;
  private double lastTimePerUnit;

  /**
   * Nothing is known of it.
   *
   * @param round the last round allocated: what is heard of the worker before the next comes from
   *     there, and its rest counts from there
   */
  TrackedWorker(AdaptiveTuning tuning, long round) {
    this.tuning = tuning;
    detector = new ChangeDetector(tuning);
    lastRound = round;
  }

  /** Takes over a belief, which the first round of its own may overthrow. */
  void believe(Prior belief) {
    prior = belief;
    sums.add(belief);
    isPriorInSums = true;
    hasFinished = true;
  }

  /** Collects finished work until {@link #learn}: each of a worker's slots reports alone. */
  void finish(double units, double time) {
    finishedUnits += units;
    finishedTime += time;
  }

  /** Collects what the finished work cost beside its units; the slowest slot's counts. */
  void finishFixed(double time) {
    collectedFixed = Math.max(collectedFixed, time);
  }

  /** Collects work that was killed. */
  void kill(double units, double time) {
    killedUnits += units;
    killedTime += time;
  }

  /** Whether anything was collected. */
  boolean hasNews() {
    return finishedUnits > 0 || killedUnits > 0;
  }

  /** Whether there is an estimate. */
  boolean isKnown() {
    return sums.units() > 0;
  }

  /** What the estimate rests on. */
  WorkSums sums() {
    return sums;
  }

  /** What its rounds cost beside their units. */
  FixedTime fixedTime() {
    return fixedTime;
  }

  /** Above what a round costs the least burdened, as of the last allocation. */
  double burden() {
    return burden;
  }

  void setBurden(double newBurden) {
    burden = newBurden;
  }

  /** Goes over to another unit of time, in what a round costs beside its units. */
  void rescaleFixed(double factor) {
    fixedTime.rescale(factor);
    burden *= factor;
    collectedFixed *= factor;
  }

  /** Time per unit as it ran; NaN if unknown. */
  double meanTime() {
    if (isKnown()) {
      return sums.meanTime();
    }
    return finishedUnits > 0 ? finishedTime / finishedUnits : killedTime / killedUnits;
  }

  /** Forgets everything, so that the worker is explored again. */
  void forget() {
    fixedTime.restart();
    burden = 0;
    sums.clear();
    detector.clear();
    hasFinished = false;
  }

  /** Forgets the belief; what was seen stays. */
  void disbelieve() {
    prior = null;
    if (isPriorInSums) {
      isPriorInSums = false;
      sums.removePriors();
      hasFinished &= sums.hasRounds();
    }
  }

  /** What was believed before anything was seen, null for nothing. */
  Prior prior() {
    return prior;
  }

  /** Whether there is both a belief and something seen to hold it against. */
  boolean isPriorTested() {
    return prior != null && sums.hasRounds();
  }

  /** Has work in this round. What it cost to have some before it rested is out of date. */
  void work(long round) {
    if (restedRounds(round) > 0) {
      fixedTime.restart();
    }
    lastRound = round;
  }

  boolean hasWorkedIn(long round) {
    return lastRound == round;
  }

  /** Rounds in a row without work before {@code round}. */
  long restedRounds(long round) {
    return round - 1 - lastRound;
  }

  /**
   * Learns from what was collected, as from one round.
   *
   * @return whether the worker's speed has changed
   */
  boolean learn(double fixedCost, TimeNoise noise) {
    boolean hasChanged = false;
    if (collectedFixed >= 0) {
      fixedTime.add(collectedFixed);
      collectedFixed = -1;
    }
    if (killedUnits > 0) {
      hasChanged = learnLowerBound(killedUnits, killedTime, fixedCost, noise);
      killedUnits = 0;
      killedTime = 0;
    }
    if (finishedUnits > 0) {
      hasChanged |= learn(finishedUnits, finishedTime, fixedCost, noise);
      finishedUnits = 0;
      finishedTime = 0;
    }
    return hasChanged;
  }

  /** A lower bound of a time says nothing unless it is above what was expected. */
  private boolean learnLowerBound(double units, double time, double fixedCost, TimeNoise noise) {
    if (isKnown() && time <= fixedCost + units * sums.timePerUnit(fixedCost)) {
      return false;
    }
    if (hasFinished) {
      return learn(units, time, fixedCost, noise);
    }
    startFrom(units, time);
    return false;
  }

  private boolean learn(double units, double time, double fixedCost, TimeNoise noise) {
    if (!hasFinished) {
      startFrom(units, time);
      hasFinished = true;
      return false;
    }
    double seen = sums.units();
    double s = sums.timePerUnit(fixedCost);
    double residual = relative(time - fixedCost, units * s) / noise.deviation(units, seen);
    if (!sums.hasRounds() && Math.abs(residual) > tuning.residualClip()) {
      startFrom(units, time);
      return true;
    }
    double timePerUnit = (time - fixedCost) / units;
    if (lastUnits > 0 && sums.hasRounds()) {
      double difference = timePerUnit - lastTimePerUnit;
      noise.add(difference / sums.ownTimePerUnit(fixedCost), units, lastUnits);
    }
    lastUnits = units;
    lastTimePerUnit = timePerUnit;
    sums.add(units, time);
    if (detector.hasChanged(residual, units, time)) {
      detector.restart(sums);
      fixedTime.keepLatest();
      isPriorInSums = false;
      return true;
    }
    return false;
  }

  /** How far off a time is; of one that is shorter the logarithm, which is not bounded by -1. */
  private static double relative(double time, double expected) {
    return time < expected ? Math.log(Math.max(0, time) / expected) : time / expected - 1;
  }

  private void startFrom(double units, double time) {
    sums.clear();
    sums.add(units, time);
  }
}
