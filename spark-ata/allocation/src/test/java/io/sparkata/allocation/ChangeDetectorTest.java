package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeDetectorTest {

  /** Constants that are easy to sum by hand: a threshold of 4, a clip of 3, a slack of 1/2. */
  private static final AdaptiveTuning BY_HAND =
      new AdaptiveTuning(
          /* width= */ 1,
          /* risk= */ 1,
          /* restShare= */ 1,
          /* alertRounds= */ 1,
          /* changeThreshold= */ 4,
          /* residualClip= */ 3,
          /* residualSlack= */ 0.5,
          /* wideShare= */ 1);

  private final ChangeDetector byHand = new ChangeDetector(BY_HAND);
  private final ChangeDetector detector = new ChangeDetector(AdaptiveTuning.DEFAULT);

  @ParameterizedTest
  @ValueSource(doubles = {1, -1})
  void hasChanged_residualsByHand_followsPage(double sign) {
    assertThat(hasChanged(byHand, sign * 2)).as("1.5").isFalse();
    assertThat(hasChanged(byHand, sign * -0.5)).as("0.5").isFalse();
    assertThat(hasChanged(byHand, sign * -1)).as("max(0, -1)").isFalse();
    assertThat(hasChanged(byHand, sign * 2.5)).as("2").isFalse();
    assertThat(hasChanged(byHand, sign * 2.5)).as("4, which is not above 4").isFalse();
    assertThat(hasChanged(byHand, sign * 1)).as("4.5").isTrue();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, -1})
  void hasChanged_residualBeyondTheClip_countsAsTheClip(double sign) {
    assertThat(hasChanged(byHand, sign * Double.POSITIVE_INFINITY)).as("2.5").isFalse();
    assertThat(hasChanged(byHand, sign * 2)).as("4").isFalse();
    assertThat(hasChanged(byHand, sign * 0.51)).as("4.01").isTrue();
  }

  @Test
  void hasChanged_bothDirectionsInTurn_addsNothingUp() {
    for (int i = 0; i < 100; i++) {
      assertThat(hasChanged(byHand, i % 2 == 0 ? 3 : -3)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e9, -1e9})
  void hasChanged_oneOrTwoStrayRoundsAmongOrdinaryOnes_isFalse(double stray) {
    for (int i = 0; i < 1000; i++) {
      boolean isStray = i % 100 >= 98;
      assertThat(hasChanged(detector, isStray ? stray : 0)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e9, -1e9})
  void hasChanged_threeStrayRoundsInARow_isTrueAtTheThird(double stray) {
    assertThat(hasChanged(detector, stray)).isFalse();
    assertThat(hasChanged(detector, stray)).isFalse();
    assertThat(hasChanged(detector, stray)).isTrue();
  }

  @Test
  void hasChanged_oneStandardDeviationOff_isFoundWhenTheSumsSay() {
    double step = 1 - AdaptiveTuning.DEFAULT.residualSlack();
    int rounds = 1;
    while (!hasChanged(detector, 1)) {
      rounds++;
    }

    assertThat(rounds * step).isGreaterThan(AdaptiveTuning.DEFAULT.changeThreshold());
    assertThat((rounds - 1) * step).isLessThanOrEqualTo(AdaptiveTuning.DEFAULT.changeThreshold());
  }

  @Test
  void hasChanged_shiftOfTheSlack_isNeverFound() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(hasChanged(detector, AdaptiveTuning.DEFAULT.residualSlack())).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, -1})
  void restart_afterAChange_keepsWhatWasObservedSinceAsOneRound(double sign) {
    WorkSums sums = new WorkSums();
    sums.add(new Prior(1, 1000));
    byHand.hasChanged(sign * 2, 100, 1);
    byHand.hasChanged(sign * -2, 10, 2);
    byHand.hasChanged(sign * 3, 7, 70);
    assertThat(byHand.hasChanged(sign * 3, 5, 30)).isTrue();

    byHand.restart(sums);

    WorkSums expected = new WorkSums();
    expected.add(new Prior(/* mean= */ 100.0 / 12, /* units= */ 6));
    assertThat(sums).usingRecursiveComparison().isEqualTo(expected);
  }

  @Test
  void restart_afterAChange_startsFromZero() {
    hasChanged(byHand, 3);
    hasChanged(byHand, 3);
    byHand.restart(new WorkSums());

    assertThat(byHand).usingRecursiveComparison().isEqualTo(new ChangeDetector(BY_HAND));
  }

  @Test
  void clear_halfwayToAChange_forgetsIt() {
    hasChanged(byHand, 3);
    hasChanged(byHand, -1);

    byHand.clear();

    assertThat(byHand).usingRecursiveComparison().isEqualTo(new ChangeDetector(BY_HAND));
  }

  private static boolean hasChanged(ChangeDetector detector, double residual) {
    return detector.hasChanged(residual, /* units= */ 1, /* time= */ 1);
  }
}
