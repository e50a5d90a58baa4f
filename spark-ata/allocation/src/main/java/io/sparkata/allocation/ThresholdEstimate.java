package io.sparkata.allocation;

import java.util.SplittableRandom;

/**
 * Roughly where the threshold is: a time, how many units a further unit of time adds there, and by
 * how many units the count at that time may be off. Nothing but the speed of {@link
 * ThresholdSearch} relies on it.
 *
 * <p>The continuous relaxation with half a unit taken off each worker: sum ((t - f_i) / s_i - 1/2)
 * over the workers with more than half of their first unit, up to their capacities. That is the
 * mean of the number of units within t if the fractions of units were random. Its root is found by
 * Newton's method. A large round starts from the threshold of a sample of its workers: if few units
 * per worker make the sample precise, no look at the other workers is needed at all, else one count
 * over all of them mostly is enough. Where that is not, and in small rounds, a few steps follow.
 */
final class ThresholdEstimate {

  /** From this number of workers on a sample is worth its while. */
  static final int SAMPLED_FROM = 16_384;

  private static final int WORKERS_PER_SAMPLED = 128;
  private static final int MOST_STEPS = 20;

  /** How many standard deviations the interval reaches to each side. */
  private static final double DEVIATIONS = 4;

  /** Units that the interval reaches further, for rounds too small for statistics. */
  private static final double LEAST_MARGIN = 2;

  private final WorkerLoads loads;
  private double time;
  private double slope;
  private double margin;

  /** As of the last step: workers whose units add to the slope, their fractions of units. */
  private int busy;

  private double fractions;

  /** The share of the slope that comes from workers in the second half of their first unit. */
  private double startingShare;

  private ThresholdEstimate(WorkerLoads loads) {
    this.loads = loads;
  }

  ThresholdEstimate(WorkerLoads loads, SplittableRandom random) {
    this.loads = loads;
    if (loads.workers() < SAMPLED_FROM || !isFoundBySample(random)) {
      approach();
    }
  }

  double time() {
    return time;
  }

  /** Units per unit of time, 0 where nothing is known. */
  double slope() {
    return slope;
  }

  /** In units. */
  double margin() {
    return margin;
  }

  /**
   * Sets everything from a sample and, if need be, one count; tells whether the margin is narrow.
   */
  private boolean isFoundBySample(SplittableRandom random) {
    int size = loads.workers() / WORKERS_PER_SAMPLED;
    double scale = (double) loads.workers() / size;
    WorkerLoads sample = loads.sample(size, random);
    if (sample.budget() == 0) {
      return false;
    }
    time = new ThresholdSearch(sample, random).threshold();
    double units = 0;
    double squares = 0;
    for (int j = 0; j < size; j++) {
      double within = sample.unitsWithin(j, time);
      units += within;
      squares += within * within;
    }
    ThresholdEstimate there = new ThresholdEstimate(sample);
    there.step(time);
    slope = scale * there.slope;
    margin = scale * DEVIATIONS * (2 + Math.sqrt(squares - units * units / size));
    double missing = loads.budget() - scale * units;
    if (loads.isPlain() && !isNarrow(128)) {
      long counted = countPlain(time);
      missing = loads.budget() - counted;
      slope = (counted + scale * there.fractions) / time;
      margin = margin(missing, scale * there.busy, there.startingShare);
    }
    time += missing / slope;
    return isNarrow(32);
  }

  private boolean isNarrow(double workersPerUnit) {
    return slope > 0 && margin <= 16 + loads.workers() / workersPerUnit;
  }

  /** The units within {@code at}, but for roundings: t / (s_i s_j) times s_j is t / s_i. */
  private long countPlain(double at) {
    double[] times = loads.timesPerUnit();
    long units = times.length % 2 == 0 ? 0 : (int) (at / times[times.length - 1]);
    int last = times.length - 1;
    for (int i = 0; i < last; i += 2) {
      double shared = at / (times[i] * times[i + 1]);
      units += (long) (int) (shared * times[i + 1]) + (int) (shared * times[i]);
    }
    return units;
  }

  /** The root of the relaxation if every worker had more than half of its first unit. */
  private double timeWithAllBusy() {
    double rates = 0;
    double lost = 0.5 * loads.workers();
    for (int i = 0; i < loads.workers(); i++) {
      double rate = 1 / loads.timePerUnit(i);
      rates += rate;
      lost += loads.fixed(i) * rate;
    }
    return (loads.budget() + lost) / rates;
  }

  /** Newton's method, within an interval that is bisected where a step leaves it. */
  private void approach() {
    double low = 0;
    double high = Double.MAX_VALUE;
    if (slope == 0) {
      time = timeWithAllBusy();
    }
    for (int step = 0; step < MOST_STEPS; step++) {
      if (!(time > low && time < high)) {
        time = DoubleBisection.between(low, high);
      }
      double missing = step(time);
      if (missing > 0) {
        low = time;
      } else {
        high = time;
      }
      time += missing / slope;
      // A long step also passes capacities, which bend the count.
      boolean isShort = loads.isPlain() || Math.abs(missing) <= 16 + loads.workers();
      if (isShort && isNarrow(16)) {
        return;
      }
    }
  }

  /**
   * Sets everything but the time as it is at {@code at}, and returns the units missing there.
   * Without branches on data, which would be mispredicted.
   */
  private double step(double at) {
    long units = 0;
    double exactUnits = 0;
    double rates = 0;
    double begunRates = 0;
    busy = 0;
    for (int i = 0; i < loads.workers(); i++) {
      double rate = 1 / loads.timePerUnit(i);
      double exact = (at - loads.fixed(i)) * rate;
      int most = loads.capacity(i);
      int whole = Math.max(0, Math.min((int) exact, most));
      int isOpen = whole < most ? 1 : 0;
      int isBusy = isOpen * Math.max(0, Math.min((int) (exact + 0.5), 1));
      units += whole;
      busy += isBusy;
      exactUnits += isBusy * exact;
      rates += isBusy * rate;
      begunRates += isOpen * Math.min(whole, 1) * rate;
    }
    slope = rates;
    startingShare = 1 - begunRates / rates;
    fractions = exactUnits - units;
    double missing = loads.budget() - units;
    margin = margin(missing, busy, startingShare);
    return missing;
  }

  private static double margin(double missing, double busy, double startingShare) {
    double distance = Math.abs(missing);
    return LEAST_MARGIN
        + DEVIATIONS * Math.sqrt(Math.min(distance, busy / 4))
        + distance * startingShare;
  }
}
