package io.sparkata.allocation;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A round to solve, and a check that an allocation is the one that giving unit by unit ends with.
 */
final class SolverCase {

  private final double[] fixed;
  private final double[] timePerUnit;
  private final int[] capacities;
  private final int budget;

  /** {@code fixed} and {@code capacities} are null for the round without both. */
  SolverCase(double[] fixed, double[] timePerUnit, int[] capacities, int budget) {
    this.fixed = fixed;
    this.timePerUnit = timePerUnit;
    this.capacities = capacities;
    this.budget = budget;
  }

  /**
   * A random round of a random kind: ties, decimals, huge ratios, subnormals, fixed costs far above
   * the times, capacities of zero; one in four without fixed costs and capacities (null).
   */
  static SolverCase random(SplittableRandom random, int workers, int mostBudget) {
    int timeKind = random.nextInt(7);
    int fixedKind = random.nextInt(6);
    int capacityKind = random.nextInt(4);
    double[] fixed = new double[workers];
    double[] times = new double[workers];
    int[] capacities = new int[workers];
    for (int i = 0; i < workers; i++) {
      times[i] = time(random, timeKind);
      fixed[i] = Math.min(fixed(random, fixedKind, times[i]), Double.MAX_VALUE);
      capacities[i] =
          switch (capacityKind) {
            case 0 -> Integer.MAX_VALUE;
            case 1 -> random.nextInt(4);
            case 2 -> random.nextInt(2) * random.nextInt(mostBudget);
            default -> Math.max(1, mostBudget / workers - random.nextInt(10));
          };
    }
    int budget = random.nextInt(random.nextBoolean() ? 3 * workers : mostBudget);
    if (random.nextInt(4) == 0) {
      return new SolverCase(null, times, null, budget);
    }
    long most = Arrays.stream(capacities).asLongStream().sum();
    return new SolverCase(fixed, times, capacities, (int) Math.min(budget, most));
  }

  private static double time(SplittableRandom random, int kind) {
    return switch (kind) {
      case 0 -> 3;
      case 1 -> 1 + random.nextInt(6);
      case 2 -> 0.1 * (1 + random.nextInt(9));
      case 3 -> Math.exp(Math.log(100) * random.nextDouble());
      case 4 -> Math.exp(1400 * random.nextDouble() - 700);
      case 5 -> Double.MIN_VALUE * (1 + random.nextInt(20));
      default -> Double.MAX_VALUE / (1 + random.nextInt(20));
    };
  }

  private static double fixed(SplittableRandom random, int kind, double timePerUnit) {
    return switch (kind) {
      case 0 -> 0;
      case 1 -> random.nextInt(10);
      case 2 -> 0.1 * random.nextInt(10);
      case 3 -> 1e17 * random.nextDouble();
      case 4 -> timePerUnit * random.nextInt(5);
      default -> random.nextInt(3) == 0 ? Double.MAX_VALUE : 1;
    };
  }

  int[] solve() {
    return fixed == null
        ? MinMaxSolver.solve(timePerUnit, budget)
        : MinMaxSolver.solve(fixed, timePerUnit, capacities, budget);
  }

  int[] solveUnitByUnit() {
    return UnitByUnit.solve(fixed, timePerUnit, capacities, budget);
  }

  /**
   * The same with every time and fixed cost divided by 2^40, so that no load overflows. Values that
   * this rounds to 0 were negligible compared with a load that overflowed.
   */
  SolverCase scaledDown() {
    double[] scaled =
        Arrays.stream(timePerUnit)
            .map(time -> Math.max(Double.MIN_VALUE, time * 0x1p-40))
            .toArray();
    double[] scaledFixed =
        fixed == null ? null : Arrays.stream(fixed).map(cost -> cost * 0x1p-40).toArray();
    return new SolverCase(scaledFixed, scaled, capacities, budget);
  }

  double maximum(int[] allocation) {
    double maximum = 0;
    for (int i = 0; i < allocation.length; i++) {
      maximum = allocation[i] == 0 ? maximum : Math.max(maximum, load(i, allocation[i]));
    }
    return maximum;
  }

  /**
   * Whether the allocation takes the first B of all loads in the order (load, worker, units): with
   * T its maximum, every worker has all units below T, and the units at T go to the lowest indices.
   */
  boolean isUnitByUnit(int[] allocation) {
    double maximum = maximum(allocation);
    long sum = 0;
    boolean isSpent = false;
    for (int i = 0; i < allocation.length; i++) {
      int below = unitsWithin(i, Math.nextDown(maximum));
      int within = unitsWithin(i, maximum);
      sum += allocation[i];
      if (allocation[i] < below || allocation[i] > (isSpent ? below : within)) {
        return false;
      }
      isSpent |= allocation[i] < within;
    }
    return sum == budget;
  }

  /** By bisection over the units. */
  private int unitsWithin(int worker, double limit) {
    long fits = 0;
    long exceeds = 1L + (capacities == null ? budget : Math.min(capacities[worker], budget));
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

  private double load(int worker, int units) {
    return UnitByUnit.load(fixed, timePerUnit, worker, units);
  }

  @Override
  public String toString() {
    return String.format(
        "fixed %s, timePerUnit %s, capacities %s, budget %d",
        Arrays.toString(fixed), Arrays.toString(timePerUnit), Arrays.toString(capacities), budget);
  }
}
