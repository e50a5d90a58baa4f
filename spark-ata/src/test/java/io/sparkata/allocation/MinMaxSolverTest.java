package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MinMaxSolverTest {

  @Test
  void solve_speedsInRatio_splitsInRatio() {
    assertThat(MinMaxSolver.solve(new double[] {1, 2, 4, 8}, 150)).containsExactly(80, 40, 20, 10);
  }

  @Test
  void solve_budgetBelowWorkers_usesTheFastest() {
    assertThat(MinMaxSolver.solve(new double[] {5, 1, 9, 2}, 3)).containsExactly(0, 2, 0, 1);
  }

  @Test
  void solve_equalWorkers_givesTheRemainderToTheFirst() {
    assertThat(MinMaxSolver.solve(new double[] {3, 3, 3}, 8)).containsExactly(3, 3, 2);
  }

  @Test
  void solve_noBudget_allocatesNothing() {
    assertThat(MinMaxSolver.solve(new double[] {1, 2}, 0)).containsExactly(0, 0);
  }

  @Test
  void solve_largestBudgetAndOneWorker_allocatesAll() {
    assertThat(MinMaxSolver.solve(new double[] {0.1}, Integer.MAX_VALUE))
        .containsExactly(Integer.MAX_VALUE);
  }

  @Test
  void solve_largestBudget_splitsInRatio() {
    // 2^31 - 1 = 3 * 715,827,882 + 1: the unit left over ends one time unit sooner on the first.
    assertThat(MinMaxSolver.solve(new double[] {1, 2}, Integer.MAX_VALUE))
        .containsExactly(1_431_655_765, 715_827_882);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.MIN_VALUE, 1e-300, 1, 1e300, Double.MAX_VALUE / 2})
  void solve_extremeTimes_splitsInRatio(double time) {
    assertThat(MinMaxSolver.solve(new double[] {time, 2 * time}, 30)).containsExactly(20, 10);
  }

  @Test
  void solve_ratioBeyondDoubles_givesNothingToTheSlowest() {
    assertThat(MinMaxSolver.solve(new double[] {Double.MAX_VALUE, Double.MIN_VALUE}, 30))
        .containsExactly(0, 30);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void solve_invalidTime_throwsWithWhatWasFound(double time) {
    assertThatThrownBy(() -> MinMaxSolver.solve(new double[] {1, time}, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid timePerUnit[1]: " + time + " (greater than 0 and finite)");
  }

  @Test
  void solve_noWorkers_throws() {
    assertThatThrownBy(() -> MinMaxSolver.solve(new double[0], 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid timePerUnit: [] (at least one)");
  }

  @Test
  void solve_negativeBudget_throws() {
    assertThatThrownBy(() -> MinMaxSolver.solve(new double[] {1}, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid budget: -1 (at least 0 units)");
  }
}
