package io.sparkata.allocation;

import java.util.SplittableRandom;

/**
 * The loads of one round as doubles compute them: worker i with a units, from 1 to its capacity,
 * has the load f_i + a s_i. A load never falls when a grows, because rounding is monotone. The
 * arrays are shared, not copied.
 */
final class WorkerLoads {

  private final double[] fixed;
  private final double[] timePerUnit;
  private final int[] capacities;
  private final int budget;

  /**
   * @param fixed f_i, null for zeros
   * @param capacities null for none
   */
  WorkerLoads(double[] fixed, double[] timePerUnit, int[] capacities, int budget) {
    this.fixed = fixed;
    this.timePerUnit = timePerUnit;
    this.capacities = capacities;
    this.budget = budget;
  }

  int workers() {
    return timePerUnit.length;
  }

  int budget() {
    return budget;
  }

  /** Whether there are neither fixed costs nor capacities. */
  boolean isPlain() {
    return fixed == null && capacities == null;
  }

  double[] timesPerUnit() {
    return timePerUnit;
  }

  double fixed(int worker) {
    return fixed == null ? 0 : fixed[worker];
  }

  double timePerUnit(int worker) {
    return timePerUnit[worker];
  }

  /** The most units that the worker can get, at most the budget. */
  int capacity(int worker) {
    return capacities == null ? budget : Math.min(capacities[worker], budget);
  }

  double load(int worker, int units) {
    return fixed(worker) + units * timePerUnit[worker];
  }

  /** The number of units of the worker, up to its capacity, whose loads are at most the limit. */
  int unitsWithin(int worker, double limit) {
    int most = capacity(worker);
    int guess = Math.max(0, Math.min((int) ((limit - fixed(worker)) / timePerUnit[worker]), most));
    boolean tooMany = guess > 0 && load(worker, guess) > limit;
    boolean tooFew = guess < most && load(worker, guess + 1) <= limit;
    return tooMany || tooFew ? search(worker, limit, guess, most) : guess;
  }

  /** The same, and fast if it is {@code known} or one more; it is at least {@code known}. */
  int unitsWithin(int worker, double limit, int known) {
    int most = capacity(worker);
    if (known == most || load(worker, known + 1) > limit) {
      return known;
    } else if (known + 1 == most || load(worker, known + 2) > limit) {
      return known + 1;
    }
    return unitsWithin(worker, limit);
  }

  /**
   * The same by galloping away from a wrong guess. Mostly it is off by one; by more where s_i is
   * lost in the rounding of f_i + a s_i.
   */
  private int search(int worker, double limit, long guess, long most) {
    long fits = guess;
    long exceeds = guess;
    if (guess == 0 || load(worker, (int) guess) <= limit) {
      exceeds++;
      for (long step = 1; exceeds <= most && load(worker, (int) exceeds) <= limit; step *= 2) {
        fits = exceeds;
        exceeds = Math.min(most + 1, exceeds + step);
      }
    } else {
      fits--;
      for (long step = 1; fits > 0 && load(worker, (int) fits) > limit; step *= 2) {
        exceeds = fits;
        fits = Math.max(0, fits - step);
      }
    }
    while (exceeds - fits > 1) {
      long middle = (fits + exceeds) / 2;
      if (load(worker, (int) middle) <= limit) {
        fits = middle;
      } else {
        exceeds = middle;
      }
    }
    return (int) fits;
  }

  /** One worker out of each of {@code size} equal stretches, with the budget cut in proportion. */
  WorkerLoads sample(int size, SplittableRandom random) {
    int stretch = workers() / size;
    double[] sampledFixed = fixed == null ? null : new double[size];
    double[] sampledTimes = new double[size];
    int[] sampledCapacities = capacities == null ? null : new int[size];
    long sum = 0;
    for (int j = 0; j < size; j++) {
      int worker = j * stretch + random.nextInt(stretch);
      sampledTimes[j] = timePerUnit[worker];
      if (fixed != null) {
        sampledFixed[j] = fixed[worker];
      }
      if (capacities != null) {
        sampledCapacities[j] = capacities[worker];
      }
      sum += capacity(worker);
    }
    long share = Math.max(1, Math.round((double) budget * size / workers()));
    return new WorkerLoads(
        sampledFixed, sampledTimes, sampledCapacities, (int) Math.min(share, sum));
  }
}
