package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpeedErrorsTest {
  private static final List<String> TWO = List.of("a", "b");

  private final SpeedErrors errors = new SpeedErrors();

  @Test
  void deviation_nothingMeasured_isThatOfColdJvms() {
    assertThat(errors.deviation()).isEqualTo(0.3);
    assertThat(of(100, Double.NaN)).containsExactly(0.3, 0.3);
  }

  @Test
  void deviation_manyRounds_isTheirNoise() {
    play(/* rounds= */ 40, /* noise= */ 0.1, /* faster= */ 1);

    assertThat(errors.deviation())
        .isCloseTo(0.1, within(0.06)); // the first expectation counts, too
  }

  /** With the differences as they are: 0.5. */
  @Test
  void deviation_allBecomeFaster_isThatOfTheirDifferences() {
    play(/* rounds= */ 6, /* noise= */ 0.1, /* faster= */ 0.5);

    assertThat(errors.deviation()).isCloseTo(0.1, within(0.06));
  }

  @Test
  void of_rounds_isSmallerByTheRootOfTheirNumber() {
    for (int round = 0; round < 15; round++) {
      errors.observe(Map.of("a", 100.0));
    }
    errors.observe(Map.of("a", 100.0, "b", 300.0));

    assertThat(of(100, 300)).containsExactly(0.3 / 4, 0.3);
  }

  @Test
  void of_bothFaster_staysSmall() {
    for (int round = 0; round < 16; round++) {
      errors.observe(Map.of("a", 100 / (round + 1.0), "b", 300 / (round + 1.0)));
    }

    double[] found = of(10, 30);

    assertThat(found[0]).isLessThan(0.035);
    assertThat(found[1]).isLessThan(0.035);
  }

  /** The policy has begun anew with the last round of b: so much is known, and no more. */
  @Test
  void of_estimateFarFromTheMean_isThatOfOneRound() {
    List<String> three = List.of("a", "b", "c");
    for (int round = 0; round < 16; round++) {
      errors.observe(Map.of("a", 100.0, "b", 300.0, "c", 50.0));
    }
    double deviation = errors.deviation();

    double[] found = errors.of(three, new double[] {100, 400, 50});
    assertThat(found).containsExactly(deviation / 4, deviation, deviation / 4);
    assertThat(errors.of(three, new double[] {100, 400, 50})).isEqualTo(found);

    for (int round = 0; round < 3; round++) {
      errors.observe(Map.of("a", 100.0, "b", 400.0, "c", 50.0));
    }
    assertThat(errors.of(three, new double[] {100, 400, 50})[1])
        .isCloseTo(errors.deviation() / 2, within(1e-12));
  }

  private double[] of(double a, double b) {
    return errors.of(TWO, new double[] {a, b});
  }

  /** Eight executors. */
  private void play(int rounds, double noise, double faster) {
    Random random = new Random(1);
    for (int round = 0; round < rounds; round++) {
      Map<String, Double> times = new HashMap<>();
      for (int i = 0; i < 8; i++) {
        times.put("e" + i, 100 * Math.pow(faster, round) * Math.exp(noise * random.nextGaussian()));
      }
      errors.observe(times);
    }
  }
}
