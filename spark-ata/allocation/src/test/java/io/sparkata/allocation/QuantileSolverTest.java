package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.sparkata.simulation.ExpectedRoundTime;
import io.sparkata.simulation.Laws;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.TimeLaw;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantileSolverTest {

  @Test
  void solve_noRisk_isTheMinMaxSolver() {
    Random random = new Random(1);
    for (int turn = 0; turn < 200; turn++) {
      double[] times = random.doubles(1 + random.nextInt(9), 1, 20).toArray();
      int budget = random.nextInt(300);

      assertThat(QuantileSolver.solve(free(times), times, /* r= */ 0, budget))
          .isEqualTo(MinMaxSolver.solve(times, budget));
    }
  }

  @Test
  void solve_risk_givesLessToThoseWithFewUnits() {
    double[] times = {1, 30};

    assertThat(QuantileSolver.solve(free(times), times, /* r= */ 0, 62)).containsExactly(60, 2);
    assertThat(QuantileSolver.solve(free(times), times, /* r= */ 1, 62)).containsExactly(61, 1);
  }

  @Test
  void solve_fixedCosts_giveLessOrNothingToThoseWhoHaveThem() {
    double[] times = {1, 1, 1};

    assertThat(QuantileSolver.solve(new double[] {0, 10, 60}, times, /* r= */ 0, 90))
        .containsExactly(50, 40, 0);
  }

  @Test
  void solve_noBudget_givesNothing() {
    assertThat(QuantileSolver.solve(new double[2], new double[] {1, 2}, 1, 0))
        .containsExactly(0, 0);
  }

  /** Loads grow with the units, so giving unit by unit to the least load is exact. */
  @Test
  void solve_anySmallCase_reachesTheMaximumOfUnitByUnit() {
    Random random = new Random(2);
    for (int turn = 0; turn < 3000; turn++) {
      double[] times = random.doubles(1 + random.nextInt(12)).map(x -> Math.exp(4 * x)).toArray();
      double[] fixed = turn % 2 == 0 ? free(times) : fixed(times.length, random);
      double r = 1.5 * random.nextDouble();
      int budget = 1 + random.nextInt(12 * times.length);

      double found = maximum(fixed, times, r, QuantileSolver.solve(fixed, times, r, budget));
      double least = maximum(fixed, times, r, unitByUnit(fixed, times, r, budget));

      assertThat(found).isCloseTo(least, withinPercentage(1e-9));
    }
  }

  private static double[] free(double[] times) {
    return new double[times.length];
  }

  /** Some fixed costs are as long as many units, some are zero. */
  private static double[] fixed(int workers, Random random) {
    return random.doubles(workers).map(x -> Math.max(0, 300 * x - 100)).toArray();
  }

  private static int[] unitByUnit(double[] fixed, double[] times, double r, int budget) {
    int[] allocation = new int[times.length];
    for (int unit = 0; unit < budget; unit++) {
      int least = 0;
      for (int i = 1; i < times.length; i++) {
        if (load(fixed[i], times[i], r, allocation[i] + 1)
            < load(fixed[least], times[least], r, allocation[least] + 1)) {
          least = i;
        }
      }
      allocation[least]++;
    }
    return allocation;
  }

  private static double maximum(double[] fixed, double[] times, double r, int[] allocation) {
    return IntStream.range(0, times.length)
        .mapToDouble(i -> load(fixed[i], times[i], r, allocation[i]))
        .max()
        .orElseThrow();
  }

  private static double load(double fixed, double time, double r, int units) {
    return units == 0 ? 0 : fixed + time * (units + r * Math.sqrt(units));
  }

  /**
   * The excess over the least expected maximum, for times c_i + Exp(c_i), whose variation is 1/2,
   * and the paper's batch.
   *
   * <pre>
   * healthy  risk 1.75, exact              0.26 % (linear), 0
   * bar                                    0.5 %
   * broken   without the moves             0.61 % (log, 50 workers)
   * broken   r = 0, the min-max of means   0.95 to 7.2 %
   * </pre>
   */
  @ParameterizedTest
  @CsvSource({"linear, 50", "sqrt, 50", "log, 50", "linear, 10", "sqrt, 10", "log, 10"})
  void solve_paperSettings_isWithinHalfAPercentOfTheLeastExpectedRoundTime(
      String name, int workers) {
    TimeLaw law = Laws.of(name, workers);
    double[] means = IntStream.range(0, workers).mapToDouble(law::baseMean).toArray();
    ExpectedRoundTime expected = ExpectedRoundTime.of(Scenario.of(law, 23));

    int[] allocation =
        QuantileSolver.solve(
            free(means), means, AdaptiveTuning.DEFAULT.risk() * 0.5, /* budget= */ 23);

    double least = expected.at(expected.minimise());
    assertThat(expected.at(allocation)).isLessThan(1.005 * least);
    assertThat(expected.at(expected.minMax())).isGreaterThan(1.005 * least);
  }
}
