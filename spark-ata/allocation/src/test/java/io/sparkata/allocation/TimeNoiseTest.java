package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeNoiseTest {

  private static final double MANY = 1e15;

  private final TimeNoise noise = new TimeNoise();

  @Test
  void unitVariation_nothingSeen_isThePrior() {
    assertThat(noise.unitVariation()).isEqualTo(TimeNoise.PRIOR_VARIATION);
    assertThat(noise.deviation(1, MANY)).isCloseTo(TimeNoise.PRIOR_VARIATION, within(1e-9));
    assertThat(noise.deviation(4, 4))
        .as("sqrt(1/4 + 1/4) of a unit's")
        .isCloseTo(TimeNoise.PRIOR_VARIATION * Math.sqrt(0.5), within(1e-9));
  }

  /** Over ten seeds both parts were at most 0.035 off. */
  @ParameterizedTest
  @CsvSource({"0.5, 0", "0.5, 0.1", "1, 0.05", "0.2, 0.05", "0.3, 0.1"})
  void deviation_mostNoiseFromUnits_recoversBothParts(double kappa, double epsilon) {
    learn(kappa, epsilon, /* rounds= */ 20_000, /* stray= */ 0);

    assertThat(noise.unitVariation()).isCloseTo(kappa, within(0.06));
    assertThat(noise.deviation(MANY, MANY)).isCloseTo(epsilon, within(0.04));
  }

  /** For rounds of few units the two parts cannot be separated, and need not be. */
  @ParameterizedTest
  @CsvSource({"0.5, 0", "0.5, 0.1", "1, 0.05", "0.2, 0.3", "0.05, 0.1", "0, 0.2"})
  void deviation_roundsOfSixteenUnits_isTheirs(double kappa, double epsilon) {
    learn(kappa, epsilon, /* rounds= */ 20_000, /* stray= */ 0);

    assertThat(noise.deviation(16, MANY))
        .isCloseTo(Math.hypot(kappa / 4, epsilon), withinPercentage(5));
  }

  /** Otherwise rounds of a hundred times their length would make any deviation look normal. */
  @Test
  void deviation_onePercentStrayRounds_isHardlyWider() {
    learn(/* kappa= */ 0.5, /* epsilon= */ 0.1, /* rounds= */ 20_000, /* stray= */ 100);

    assertThat(noise.deviation(16, MANY)).isBetween(0.1, 2 * Math.hypot(0.5 / 4, 0.1));
  }

  @Test
  void add_differenceBeyondTheClip_countsAsTheClip() {
    TimeNoise ordinary = new TimeNoise();
    TimeNoise infinite = new TimeNoise();

    ordinary.add(1, 1, 1);
    noise.add(1e6, 1, 1);
    infinite.add(Double.NEGATIVE_INFINITY, 1, 1);

    assertThat(noise).usingRecursiveComparison().isEqualTo(infinite);
    assertThat(noise.unitVariation()).isGreaterThan(ordinary.unitVariation()).isLessThan(1);
  }

  @Test
  void deviation_noNoiseAtAll_staysAboveZero() {
    learn(/* kappa= */ 0, /* epsilon= */ 0, /* rounds= */ 1000, /* stray= */ 0);

    assertThat(noise.unitVariation()).isLessThan(0.1);
    assertThat(noise.deviation(MANY, MANY)).isBetween(1e-3, 0.1);
  }

  /** One worker's rounds of 1 to 64 units, each of mean time 1. */
  private void learn(double kappa, double epsilon, int rounds, double stray) {
    Random random = new Random(1);
    double lastUnits = 0;
    double last = 0;
    for (int round = 0; round < rounds; round++) {
      double units = 1 + random.nextInt(64);
      double deviation = Math.hypot(kappa / Math.sqrt(units), epsilon);
      double timePerUnit =
          round % 100 == 99 && stray > 0 ? stray : 1 + deviation * random.nextGaussian();
      if (round > 0) {
        noise.add(timePerUnit - last, units, lastUnits);
      }
      lastUnits = units;
      last = timePerUnit;
    }
  }
}
