package io.sparkata.lab.cold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColdComparisonTest {
  @Test
  void figures_ofARun_splitItsCall() {
    ColdRun run = ColdRuns.of(ColdSide.SPARK, 10, 20, 0.25);

    assertThat(run.secondsPerIteration()).isCloseTo(0.25, within(1e-9));
    assertThat(run.otherSeconds()).isCloseTo(10, within(1e-9));
  }

  @Test
  void secondsPerIteration_slowFirstHalf_isOfTheLaterHalf() {
    ColdRun slow = ColdRuns.of(ColdSide.SPARK, 0, 4, 9);
    slow =
        new ColdRun(
            "spark", 40, java.util.List.of(9.0, 18.0, 19.0, 20.0), 0, slow.model(), slow.shares());

    assertThat(slow.secondsPerIteration()).isEqualTo(1);
  }

  /** Spark takes 30 s for 20 iterations, with more partitions 22 s. */
  @Test
  void rival_always_isTheFastestOfSpark() {
    assertThat(ColdRuns.comparison(1, 1).rival().side()).isEqualTo("spark-partitioned");
  }

  @Test
  void differenceFrom_anotherModel_isTheLargestOfAWeight() {
    ColdComparison runs = ColdRuns.comparison(1, 1);

    assertThat(runs.sparkAta().differenceFrom(runs.spark())).isCloseTo(3e-9, within(1e-15));
    assertThat(runs.spark().differenceFrom(runs.spark())).isZero();
  }

  /** The others take 10 + n and 12 + n / 2: both are behind 20 + n / 4 from n = 33 on. */
  @ParameterizedTest
  @CsvSource({
    "9, 0.25, 1", // less of both
    "20, 0.25, 33",
    "20, 0.75, -1", // never ahead of the second
    "9, 2, -1", // ahead of both only while there are few iterations
    "20, 2, -1"
  })
  void aheadFrom_byFigures_isTheFirstNumberThatWins(double other, double each, int from) {
    assertThat(ColdRuns.comparison(other, each).aheadFrom().orElse(-1)).isEqualTo(from);
  }
}
