package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkSumsTest {

  private record Round(double units, double time) {}

  private final WorkSums sums = new WorkSums();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void fixedCost_severalWorkers_isTheWeightedRegression(long seed) {
    Random random = new Random(seed);
    List<List<Round>> workers = new ArrayList<>();
    double numerator = 0;
    double denominator = 0;
    for (int worker = 0; worker < 4; worker++) {
      List<Round> rounds = new ArrayList<>();
      WorkSums own = new WorkSums();
      double timePerUnit = 1 + 9 * random.nextDouble();
      for (int round = 0; round < 6; round++) {
        double units = 1 + random.nextInt(40);
        double time = 20 + units * timePerUnit * (0.8 + 0.4 * random.nextDouble());
        rounds.add(new Round(units, time));
        own.add(units, time);
      }
      workers.add(rounds);
      numerator += own.fixedCostNumerator(/* scale= */ 3);
      denominator += own.fixedCostDenominator(/* scale= */ 3);
    }

    double model = fixedCostByRegression(workers);
    assertThat(numerator / denominator).isCloseTo(model, within(1e-5 * Math.abs(model)));
  }

  /** Ternary search over f of the least weighted squares. */
  private static double fixedCostByRegression(List<List<Round>> workers) {
    double low = -1000;
    double high = 1000;
    while (high - low > 1e-8) {
      double third = (high - low) / 3;
      if (squares(workers, low + third) < squares(workers, high - third)) {
        high -= third;
      } else {
        low += third;
      }
    }
    return low;
  }

  /** Of time - f - units * s with each worker's best s, weighted by 1 / (units * mean^2). */
  private static double squares(List<List<Round>> workers, double fixedCost) {
    double sum = 0;
    for (List<Round> rounds : workers) {
      double units = rounds.stream().mapToDouble(Round::units).sum();
      double mean = rounds.stream().mapToDouble(Round::time).sum() / units;
      double xy = 0;
      double xx = 0;
      for (Round round : rounds) {
        xy += 1 / round.units() * round.units() * (round.time() - fixedCost);
        xx += 1 / round.units() * round.units() * round.units();
      }
      for (Round round : rounds) {
        double residual = round.time() - fixedCost - round.units() * xy / xx;
        sum += residual * residual / (round.units() * mean * mean);
      }
    }
    return sum;
  }

  @Test
  void timePerUnit_givenFixedCost_isTheBestSlope() {
    sums.add(2, 14);
    sums.add(6, 22);

    assertThat(sums.timePerUnit(/* fixedCost= */ 10)).isCloseTo(2, within(1e-12));
    assertThat(sums.timePerUnit(/* fixedCost= */ 0)).isEqualTo(4.5).isEqualTo(sums.meanTime());
    assertThat(sums.fixedCostNumerator(1) / sums.fixedCostDenominator(1))
        .as("14 = 10 + 2 * 2, 22 = 10 + 6 * 2")
        .isCloseTo(10, within(1e-12));
  }

  @Test
  void timePerUnit_fixedCostAboveTheTimes_keepsAShareOfTheMean() {
    sums.add(4, 20);

    double least = sums.timePerUnit(/* fixedCost= */ 20);
    assertThat(least).isBetween(Double.MIN_NORMAL, 1.0);
    assertThat(sums.timePerUnit(/* fixedCost= */ 1e300)).isEqualTo(least);
    assertThat(sums.ownTimePerUnit(/* fixedCost= */ 1e300)).isEqualTo(least);
  }

  @Test
  void fixedCostParts_sameUnitsInAllRounds_areZero() {
    sums.add(3, 10);
    sums.add(3, 12);
    sums.add(3, 17);

    assertThat(sums.fixedCostNumerator(1)).isCloseTo(0, within(1e-12));
    assertThat(sums.fixedCostDenominator(1)).isCloseTo(0, within(1e-12));
  }

  @Test
  void fixedCostParts_priorOnly_areZero() {
    sums.add(new Prior(5, 100));

    assertThat(sums.fixedCostNumerator(1)).isZero();
    assertThat(sums.fixedCostDenominator(1)).isZero();
    assertThat(sums.hasRounds()).isFalse();
  }

  @Test
  void fixedCostParts_priorBesideRounds_doNotChange() {
    sums.add(2, 14);
    sums.add(6, 22);
    double numerator = sums.fixedCostNumerator(1);
    double denominator = sums.fixedCostDenominator(1);

    sums.add(new Prior(5, 100));

    assertThat(sums.fixedCostNumerator(1)).isEqualTo(numerator);
    assertThat(sums.fixedCostDenominator(1)).isEqualTo(denominator);
  }

  @Test
  void fixedCostParts_otherScale_keepTheirRatio() {
    sums.add(2, 14);
    sums.add(6, 25);

    assertThat(sums.fixedCostNumerator(8)).isCloseTo(64 * sums.fixedCostNumerator(1), within(1e-9));
    assertThat(sums.fixedCostDenominator(8))
        .isCloseTo(64 * sums.fixedCostDenominator(1), within(1e-9));
  }

  @Test
  void units_priorAndRounds_countBoth() {
    sums.add(new Prior(5, 10));
    sums.add(2, 4);
    sums.add(0.5, 1);

    assertThat(sums.units()).isEqualTo(12.5);
    assertThat(sums.totalTime()).isEqualTo(55);
    assertThat(sums.meanTime()).isEqualTo(55 / 12.5);
    assertThat(sums.ownUnits()).isEqualTo(2.5);
    assertThat(sums.ownMeanTime()).isEqualTo(2);
    assertThat(sums.ownTimePerUnit(/* fixedCost= */ 1)).isCloseTo(1.2, within(1e-12));
    assertThat(sums.timePerUnit(/* fixedCost= */ 1)).isCloseTo(53 / 12.5, within(1e-12));
  }

  @Test
  void removePriors_besideRounds_leavesTheRounds() {
    sums.add(new Prior(5, 10));
    sums.add(2, 4);

    sums.removePriors();

    assertThat(sums.units()).isEqualTo(2);
    assertThat(sums.meanTime()).isEqualTo(2);
  }

  @Test
  void clear_anything_isAsNew() {
    sums.add(new Prior(5, 10));
    sums.add(2, 4);

    sums.clear();

    assertThat(sums).usingRecursiveComparison().isEqualTo(new WorkSums());
    assertThat(sums.meanTime()).isNaN();
    assertThat(sums.units()).isZero();
  }

  @Test
  void set_otherSums_copiesThem() {
    WorkSums other = new WorkSums();
    other.add(new Prior(5, 10));
    other.add(2, 14);
    other.add(6, 22);

    sums.set(other);
    assertThat(sums).usingRecursiveComparison().isEqualTo(other);

    other.add(7, 7);
    assertThat(sums.units()).as("a copy, not a view").isEqualTo(18);
  }
}
