package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@link MinMaxSolver} on a million random rounds with ties, subnormal and huge times, fixed costs
 * and capacities. Small rounds must equal unit by unit giving; budgets up to 2^31 - 1 (one round in
 * a hundred) and up to 20,000 workers (one in two thousand) must meet the optimality condition.
 */
@Tag("nightly")
class MinMaxSolverLongTest {
  private static final int ROUNDS = 1_000_000;
  private static final long SEED = 1;

  @Test
  void solve_aMillionRandomRounds_areSolvedByTheDefinition() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int number = 0; number < ROUNDS; number++) {
      boolean isLarge = number % 2000 == 0;
      boolean isHugeBudget = number % 100 == 1;
      SolverCase round =
          isLarge
              ? SolverCase.random(random, 10_000 + random.nextInt(10_000), Integer.MAX_VALUE)
              : SolverCase.random(
                  random, 1 + random.nextInt(24), isHugeBudget ? Integer.MAX_VALUE : 200);
      int[] allocation = round.solve();
      SolverCase finite = Double.isFinite(round.maximum(allocation)) ? round : round.scaledDown();
      assertThat(finite.isUnitByUnit(allocation)).as("round %d: %s", number, round).isTrue();
      if (!isLarge && !isHugeBudget) {
        assertThat(allocation)
            .as("round %d: %s", number, round)
            .isEqualTo(finite.solveUnitByUnit());
      }
    }
  }
}
