package io.sparkata.allocation;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One round's search for its threshold: the load of rank B among all loads of all workers, which is
 * the least possible maximum. Holds an interval (low, high] with the threshold in it and the
 * workers that still have loads there, called open; all others are settled. Used once.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>Fewer than B loads are at most {@code low}.
 *   <li>When {@code counted}: at least B loads are at most {@code high}, every worker's allocation
 *       is the number of its loads up to {@code low}, and {@code open} lists in ascending order the
 *       workers with loads in between.
 * </ol>
 */
final class ThresholdSearch {

  /** Keeps a rounded quotient, times its divisor, from exceeding the dividend: 5 roundings. */
  private static final double BELOW = 1 - 0x1p-49;

  /** The other way round. */
  private static final double ABOVE = 1 + 0x1p-48;

  /** From this number of candidates on another look at the open workers is worth its while. */
  private static final int INTERPOLATED_FROM = 512;

  private final WorkerLoads loads;
  private final SplittableRandom random;
  private final int[] allocation;

  private double low;
  private double high = Double.MAX_VALUE;
  private boolean counted;
  private long unitsToLow;
  private long unitsToHigh = Long.MAX_VALUE;

  /** Null for all. */
  private int[] open;

  private int openCount;
  private long settledUnits;

  /** What the last scan found; its array is the spare one of {@code open}. */
  private int[] found = new int[16];

  private int foundCount;

  ThresholdSearch(WorkerLoads loads, SplittableRandom random) {
    this.loads = loads;
    this.random = random;
    allocation = new int[loads.workers()];
    openCount = loads.workers();
  }

  /** The threshold, infinite if it overflows. The budget is at least 1. */
  double threshold() {
    ThresholdEstimate estimate = new ThresholdEstimate(loads, random);
    double slope = estimate.slope();
    double width = slope > 0 ? estimate.margin() / slope : 0;
    narrow(estimate.time() - width, estimate.time() + width);
    double widest = 64.0 * loads.workers() / slope;
    for (double reach = 8 * width; !counted && reach > 0 && reach < widest; reach *= 8) {
      if (low > 0) {
        narrow(low, low + reach);
      } else {
        narrow(high - reach, high);
      }
    }
    while (!(counted && isFewEnough())) {
      if (low == high) {
        return Double.POSITIVE_INFINITY;
      }
      narrow(low, DoubleBisection.between(low, high));
    }
    if (unitsToHigh - unitsToLow > INTERPOLATED_FROM) {
      interpolate();
    }
    return high == Math.nextUp(low) ? high : select();
  }

  /** Leaves few candidates if they lie evenly. */
  private void interpolate() {
    double between = unitsToHigh - unitsToLow;
    double distance = (high - low) / between;
    double middle = low + (loads.budget() - unitsToLow) * distance;
    double width = (8 + 3 * Math.sqrt(between)) * distance;
    narrow(middle - width, middle + width);
    if (!counted) {
      narrow(low, high);
    }
  }

  /** The allocation that unit by unit giving ends with; the threshold is the one found. */
  int[] allocation(double threshold) {
    double below = Math.nextDown(threshold);
    long rest = loads.budget() - settledUnits;
    for (int j = 0; j < openCount; j++) {
      int worker = open[j];
      allocation[worker] = loads.unitsWithin(worker, below, allocation[worker]);
      rest -= allocation[worker];
    }
    for (int j = 0; rest > 0; j++) {
      int worker = open[j];
      int equal = loads.unitsWithin(worker, threshold, allocation[worker]) - allocation[worker];
      int given = (int) Math.min(rest, equal);
      allocation[worker] += given;
      rest -= given;
    }
    return allocation;
  }

  private boolean isFewEnough() {
    return unitsToHigh - unitsToLow <= 2L * openCount + 64 || high == Math.nextUp(low);
  }

  /**
   * Tries to replace (low, high] by (from, to], and learns from it if the threshold is not there.
   */
  private void narrow(double from, double to) {
    double a = from > low ? Math.min(from, high) : low;
    double b = to < high ? Math.max(to, Math.nextUp(a)) : high;
    long units = open == null ? scanAll(a, b) : scanOpen(a, b);
    long settled = units;
    long between = 0;
    for (int j = 0; j < foundCount; j++) {
      int worker = found[j];
      settled -= allocation[worker];
      int within = loads.unitsWithin(worker, a, allocation[worker]);
      units += within - allocation[worker];
      between += loads.unitsWithin(worker, b, within) - within;
      allocation[worker] = within;
    }
    counted = units < loads.budget() && units + between >= loads.budget();
    if (counted) {
      int[] emptied = open == null ? new int[foundCount] : open;
      open = found;
      openCount = foundCount;
      found = emptied;
      settledUnits = settled;
      low = a;
      unitsToLow = units;
      high = b;
      unitsToHigh = units + between;
    } else if (units >= loads.budget()) {
      high = a;
      unitsToHigh = units;
    } else {
      low = b;
      unitsToLow = units + between;
    }
  }

  /**
   * Sets the allocation of every worker to a number of units within {@code from}, and finds the
   * workers whose next load is at most {@code to}; that number may be one short for these only.
   *
   * @return the sum of the allocation
   */
  private long scanAll(double from, double to) {
    double limit = from * BELOW;
    foundCount = 0;
    return loads.isPlain() && to <= 16 * limit
        ? scanPlain(limit, to / limit * ABOVE)
        : scanGeneral(limit, to);
  }

  /**
   * The same without fixed costs and capacities, up to {@code stretch} times the limit: a worker
   * whose stretched quotient has the same whole part has no load in between, whatever the
   * roundings.
   */
  private long scanPlain(double limit, double stretch) {
    double[] times = loads.timesPerUnit();
    int[] allocated = allocation;
    long sum = 0;
    for (int i = 0; i < times.length; i++) {
      double quotient = limit / times[i];
      int units = (int) quotient;
      allocated[i] = units;
      sum += units;
      if ((int) (quotient * stretch) != units) {
        addFound(i);
      }
    }
    return sum;
  }

  private long scanGeneral(double limit, double to) {
    long sum = 0;
    for (int i = 0; i < allocation.length; i++) {
      int most = loads.capacity(i);
      double quotient = (limit - loads.fixed(i)) / loads.timePerUnit(i);
      int units = Math.max(0, Math.min((int) quotient, most));
      allocation[i] = units;
      sum += units;
      if (units < most && loads.load(i, units + 1) <= to) {
        addFound(i);
      }
    }
    return sum;
  }

  private long scanOpen(double from, double to) {
    long sum = settledUnits;
    foundCount = 0;
    for (int j = 0; j < openCount; j++) {
      int worker = open[j];
      int units = loads.unitsWithin(worker, from);
      allocation[worker] = units;
      sum += units;
      if (units < loads.capacity(worker) && loads.load(worker, units + 1) <= to) {
        addFound(worker);
      }
    }
    return sum;
  }

  private void addFound(int worker) {
    if (foundCount == found.length) {
      found = Arrays.copyOf(found, 2 * foundCount);
    }
    found[foundCount++] = worker;
  }

  private double select() {
    int size = (int) (unitsToHigh - unitsToLow);
    double[] values = new double[size];
    int next = 0;
    for (int j = 0; j < openCount; j++) {
      int worker = open[j];
      int extra = loads.unitsWithin(worker, high, allocation[worker]) - allocation[worker];
      for (int unit = 1; unit <= extra; unit++) {
        values[next++] = loads.load(worker, allocation[worker] + unit);
      }
    }
    return Selection.select(values, size, (int) (loads.budget() - unitsToLow) - 1, random);
  }
}
