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

  @Test
  void solve_fixedCosts_waitsUntilTheyPay() {
    // Loads: 1 2 3 4 ..., and 13 16 19 ... once the second is used.
    assertThat(solve(new double[] {0, 10}, new double[] {1, 3}, new int[] {99, 99}, 12))
        .containsExactly(12, 0);
    assertThat(solve(new double[] {0, 10}, new double[] {1, 3}, new int[] {99, 99}, 16))
        .containsExactly(15, 1);
  }

  @Test
  void solve_fixedCostsAboveTheTimes_evensThemOut() {
    assertThat(solve(new double[] {1e6, 1e6}, new double[] {1e-3, 1e-3}, new int[] {9, 9}, 7))
        .containsExactly(4, 3);
  }

  @Test
  void solve_fixedCostsThatSwallowTheTimes_fillsTheFirst() {
    // 1e17 + a rounds to the same double for all these a: all loads are equal.
    assertThat(solve(new double[] {1e17, 1e17}, new double[] {1, 1}, new int[] {6, 6}, 7))
        .containsExactly(6, 1);
  }

  @Test
  void solve_capacityReached_givesToTheNext() {
    assertThat(solve(new double[] {0, 0, 0}, new double[] {1, 2, 9}, new int[] {3, 4, 5}, 8))
        .containsExactly(3, 4, 1);
  }

  @Test
  void solve_capacityZero_givesNothing() {
    assertThat(solve(new double[] {0, 0}, new double[] {1, 100}, new int[] {0, 50}, 50))
        .containsExactly(0, 50);
  }

  @Test
  void solve_capacitiesJustEnough_fillsAll() {
    int[] capacities = {Integer.MAX_VALUE - 5, 0, 5};

    assertThat(
            solve(
                new double[] {Double.MAX_VALUE, 1, 0},
                new double[] {Double.MAX_VALUE, 1, Double.MIN_VALUE},
                capacities,
                Integer.MAX_VALUE))
        .containsExactly(capacities);
  }

  @Test
  void solve_loadsThatOverflow_areStillOrdered() {
    assertThat(
            solve(
                new double[] {0, 0},
                new double[] {Double.MAX_VALUE, Double.MAX_VALUE / 2},
                new int[] {100, 100},
                30))
        .containsExactly(10, 20);
  }

  @Test
  void solve_zeroFixedCostsAndAmpleCapacities_equalsTheShortForm() {
    double[] times = {0.3, 0.1, 0.7, 0.2};

    assertThat(solve(new double[4], times, new int[] {99, 99, 99, 99}, 77))
        .isEqualTo(MinMaxSolver.solve(times, 77));
  }

  @Test
  void solve_givenArrays_leavesThemAsTheyAre() {
    double[] fixed = {1, 2};
    double[] times = {3, 4};
    int[] capacities = {50, 60};
    int[] unused = solve(fixed, times, capacities, 40);

    assertThat(unused).hasSize(2);
    assertThat(fixed).containsExactly(1, 2);
    assertThat(times).containsExactly(3, 4);
    assertThat(capacities).containsExactly(50, 60);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void solve_invalidFixedCost_throwsWithWhatWasFound(double cost) {
    assertThatThrownBy(() -> solve(new double[] {0, cost}, new double[] {1, 1}, new int[2], 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid fixed[1]: " + cost + " (at least 0 and finite)");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void solve_invalidTimeBesideFixedCosts_throwsWithWhatWasFound(double time) {
    assertThatThrownBy(() -> solve(new double[2], new double[] {1, time}, new int[2], 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid timePerUnit[1]: " + time + " (greater than 0 and finite)");
  }

  @Test
  void solve_negativeCapacity_throws() {
    assertThatThrownBy(() -> solve(new double[2], new double[] {1, 1}, new int[] {3, -2}, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid capacities[1]: -2 (at least 0 units)");
  }

  @Test
  void solve_capacitiesBelowBudget_throwsWithBoth() {
    assertThatThrownBy(() -> solve(new double[2], new double[] {1, 1}, new int[] {3, 2}, 6))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid capacities: sum 5 (at least the budget, 6 units)");
  }

  @Test
  void solve_lengthsThatDiffer_throwsWithBoth() {
    assertThatThrownBy(() -> solve(new double[3], new double[] {1, 1}, new int[2], 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid fixed: 3 values (timePerUnit has 2)");
    assertThatThrownBy(() -> solve(new double[2], new double[] {1, 1}, new int[1], 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid capacities: 1 values (timePerUnit has 2)");
  }

  @Test
  void solve_negativeBudgetBesideCapacities_throws() {
    assertThatThrownBy(() -> solve(new double[1], new double[] {1}, new int[1], -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid budget: -1 (at least 0 units)");
  }

  private static int[] solve(double[] fixed, double[] times, int[] capacities, int budget) {
    return MinMaxSolver.solve(fixed, times, capacities, budget);
  }
}
