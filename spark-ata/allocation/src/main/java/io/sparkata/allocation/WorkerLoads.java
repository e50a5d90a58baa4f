package io.sparkata.allocation;

/**
 * The loads of one round, as computed in doubles. Worker i with a units, from 1 to its capacity,
 * has the load f_i + a s_i. A load never falls when a grows, because rounding is monotone. The
 * arrays are shared, not copied.
 */
final class WorkerLoads {

  private final double[] fixed;
  private final double[] timePerUnit;
  private final int[] capacities;

  /** The load to find is at least {@code low} and at most {@code high}. */
  private double low;

  private double high;

  WorkerLoads(double[] fixed, double[] timePerUnit, int[] capacities) {
    this.fixed = fixed;
    this.timePerUnit = timePerUnit;
    this.capacities = capacities;
  }

  /**
   * Finds the load of a rank, from 1, among all loads in ascending order, by bisection over the
   * bits of a double. Two bounds from the continuous relaxation come first: an upper one, which may
   * fail where workers reach their capacities, and a lower one. Counting checks both.
   *
   * @return the load, infinite if it overflows
   */
  double ofRank(int rank) {
    double rates = 0;
    double lost = 0;
    for (int i = 0; i < timePerUnit.length; i++) {
      rates += 1 / timePerUnit[i];
      lost += 1 + fixed[i] / timePerUnit[i];
    }
    low = 0;
    high = Double.POSITIVE_INFINITY;
    narrow((rank + lost) / rates, rank);
    narrow((rank - 1) / rates, rank);
    while (low < high) {
      long bits = Double.doubleToRawLongBits(low) + Double.doubleToRawLongBits(high);
      narrow(Double.longBitsToDouble(bits >>> 1), rank);
    }
    return high;
  }

  /** Counts the loads up to a limit between the bounds, and moves one bound to the next load. */
  private void narrow(double limit, int rank) {
    if (!(limit >= low && limit < high)) {
      return;
    }
    long units = 0;
    double last = 0;
    double next = Double.POSITIVE_INFINITY;
    for (int i = 0; i < timePerUnit.length; i++) {
      int within = unitsWithin(i, limit);
      double lastOfWorker = load(i, within);
      double nextOfWorker = load(i, within + 1.0);
      units += within;
      if (lastOfWorker > last && within > 0) {
        last = lastOfWorker;
      }
      if (nextOfWorker < next && within < capacities[i]) {
        next = nextOfWorker;
      }
    }
    if (units >= rank) {
      high = last;
    } else {
      low = next;
    }
  }

  /** The number of units of the worker whose loads are at most the limit, which is finite. */
  int unitsWithin(int worker, double limit) {
    int most = capacities[worker];
    double quotient = (limit - fixed[worker]) / timePerUnit[worker];
    int guess = Math.max(0, Math.min((int) quotient, most));
    boolean isExact =
        (load(worker, guess) <= limit || guess == 0)
            && (load(worker, guess + 1.0) > limit || guess == most);
    if (isExact) {
      return guess;
    }
    int fitting = 0;
    while (fitting < most) {
      int middle = most - (most - fitting) / 2;
      if (load(worker, middle) <= limit) {
        fitting = middle;
      } else {
        most = middle - 1;
      }
    }
    return fitting;
  }

  private double load(int worker, double units) {
    return fixed[worker] + units * timePerUnit[worker];
  }
}
