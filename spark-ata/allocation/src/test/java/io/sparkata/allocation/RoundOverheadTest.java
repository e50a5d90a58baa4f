package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoundOverheadTest {

  private final RoundOverhead time = new RoundOverhead();

  @Test
  void isKnown_twoColdRoundsAndLessThanThreeMore_isFalse() {
    add(3000, 500, 30, 20);
    assertThat(time.isKnown()).isFalse();
    assertThat(time.isSettled()).isFalse();
    add(40);
    assertThat(time.isKnown()).isTrue();
    assertThat(time.isSettled()).isTrue();
  }

  @Test
  void medianAndUsualMost_known_areThoseOfTheLastSevenRoundsWithoutTheColdOnes() {
    add(1, 2, 30, 20, 40, 50);
    assertThat(time.median()).as("the lower of two").isEqualTo(30);
    assertThat(time.usualMost()).as("the longest of few").isEqualTo(50);
    add(9000, 21, 22);
    assertThat(time.median()).isEqualTo(30);
    assertThat(time.usualMost()).as("but one of seven").isEqualTo(50);
    add(60, 70, 80, 90, 23, 24, 25);
    assertThat(time.median()).isEqualTo(60);
    assertThat(time.usualMost()).isEqualTo(80);
  }

  @Test
  void restart_known_isForgottenWithTheNextRoundWhichIsEnough() {
    add(1, 2, 30, 31, 32);
    time.restart();
    assertThat(time.median()).isEqualTo(31);
    assertThat(time.isSettled()).isFalse();
    add(5);
    assertThat(time.median()).isEqualTo(5);
    assertThat(time.isKnown()).isTrue();
    assertThat(time.isSettled()).isFalse();
    add(6, 7);
    assertThat(time.median()).isEqualTo(6);
    assertThat(time.isSettled()).isTrue();
  }

  @Test
  void keepLatest_changed_leavesThreeRounds() {
    add(1, 2, 30, 31);
    time.keepLatest();
    assertThat(time.isKnown()).as("not before three rounds").isFalse();
    add(32, 33, 34, 35, 5, 7, 6);
    assertThat(time.median()).isEqualTo(32);
    time.keepLatest();
    assertThat(time.median()).isEqualTo(6);
    assertThat(time.usualMost()).isEqualTo(7);
    assertThat(time.isSettled()).isTrue();
    add(8);
    assertThat(time.median()).isEqualTo(6);
    assertThat(time.usualMost()).isEqualTo(8);
  }

  @Test
  void learn_severalSlots_countsTheSlowest() {
    add(1, 2, 30, 31);
    time.collect(20);
    time.collect(90);
    time.collect(40);
    time.learn();
    time.learn();
    assertThat(time.usualMost()).isEqualTo(90);
    assertThat(time.median()).isEqualTo(31);
  }

  private void add(double... times) {
    for (double one : times) {
      time.collect(one);
      time.learn();
    }
  }
}
