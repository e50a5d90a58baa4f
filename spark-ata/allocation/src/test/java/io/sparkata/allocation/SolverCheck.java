package io.sparkata.allocation;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * {@link MinMaxSolver} on random rounds: {@code scripts/ata check-solver}. Compares the arrays of
 * small rounds with unit by unit giving. Checks the optimality condition for budgets up to 2^31 - 1
 * (one round in a hundred) and for up to 20,000 workers (one in two thousand).
 */
final class SolverCheck {

  private SolverCheck() {}

  /** Arguments: cases, seed, "json" or "text". Exits with 1 at the first round solved wrongly. */
  public static void main(String[] arguments) {
    int cases = Integer.parseInt(arguments[0]);
    long seed = Long.parseLong(arguments[1]);
    SplittableRandom random = new SplittableRandom(seed);
    long start = System.nanoTime();
    int byGiving = 0;
    for (int done = 0; done < cases; done++) {
      if (done > 0 && done % 100_000 == 0) {
        System.err.printf("%,d of %,d rounds ...%n", done, cases);
      }
      boolean isLarge = done % 2000 == 0;
      boolean isHugeBudget = done % 100 == 1;
      SolverCase round =
          isLarge
              ? SolverCase.random(random, 10_000 + random.nextInt(10_000), Integer.MAX_VALUE)
              : SolverCase.random(
                  random, 1 + random.nextInt(24), isHugeBudget ? Integer.MAX_VALUE : 200);
      byGiving += isLarge || isHugeBudget ? 0 : 1;
      check(round, done, seed, !isLarge && !isHugeBudget);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        arguments[2].equals("json")
            ? "{\"cases\":%d,\"seed\":%d,\"unitByUnit\":%d,\"byThreshold\":%d,\"different\":0,"
                + "\"seconds\":%.1f}%n"
            : "%d random rounds, seed %d: %d equal unit by unit giving, %d meet the optimality"
                + " condition, 0 differ (%.1f s).%n",
        cases,
        seed,
        byGiving,
        cases - byGiving,
        seconds);
  }

  private static void check(SolverCase round, int number, long seed, boolean byGiving) {
    int[] allocation = round.solve();
    SolverCase finite = Double.isFinite(round.maximum(allocation)) ? round : round.scaledDown();
    int[] expected = byGiving ? finite.solveUnitByUnit() : null;
    if (!finite.isUnitByUnit(allocation)
        || (expected != null && !Arrays.equals(allocation, expected))) {
      System.err.printf("Round %d of seed %d is solved wrongly: %s%n", number, seed, round);
      System.err.printf(
          "  found %s, expected %s%n", Arrays.toString(allocation), Arrays.toString(expected));
      System.exit(1);
    }
  }
}
