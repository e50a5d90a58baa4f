package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SpeedErrorsTest {
  private final SpeedErrors errors = new SpeedErrors();

  @Test
  void deviation_nothingMeasured_isThatOfColdJvms() {
    assertThat(errors.deviation()).isEqualTo(0.3);
    assertThat(errors.of("a", 100, errors.deviation())).isEqualTo(0.3);
  }

  @Test
  void deviation_manyRounds_isTheirNoise() {
    play(/* executors= */ 8, /* rounds= */ 40, /* noise= */ 0.1);

    assertThat(errors.deviation())
        .isCloseTo(0.1, within(0.06)); // the first expectation counts, too
  }

  @Test
  void of_rounds_isSmallerByTheRootOfTheirNumber() {
    for (int round = 0; round < 16; round++) {
      errors.observe("a", 100);
    }
    errors.observe("b", 100);

    assertThat(errors.of("a", 100, 0.2)).isCloseTo(0.05, within(1e-12));
    assertThat(errors.of("b", 100, 0.2)).isEqualTo(0.2);
  }

  /** The policy has begun anew with the last round: so much is known, and no more. */
  @Test
  void of_estimateFarFromTheMean_isThatOfOneRound() {
    for (int round = 0; round < 16; round++) {
      errors.observe("a", 100);
    }

    assertThat(errors.of("a", 130, 0.2)).isEqualTo(0.2);
    assertThat(errors.of("a", 130, 0.2)).isEqualTo(0.2);
    errors.observe("a", 130);
    errors.observe("a", 130);
    errors.observe("a", 130);
    assertThat(errors.of("a", 130, 0.2)).isCloseTo(0.1, within(1e-12));
  }

  private void play(int executors, int rounds, double noise) {
    Random random = new Random(1);
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < executors; i++) {
        errors.observe("e" + i, 100 * Math.exp(noise * random.nextGaussian()));
      }
    }
  }
}
