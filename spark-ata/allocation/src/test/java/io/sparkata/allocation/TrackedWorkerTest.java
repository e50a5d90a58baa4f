package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TrackedWorkerTest {

  private static final int UNITS = 100;

  private final TimeNoise noise = new TimeNoise();
  private final TrackedWorker worker = new TrackedWorker(AdaptiveTuning.DEFAULT, /* round= */ 0);

  @Test
  void learn_nothingKnown_startsFromTheFirstRound() {
    assertThat(worker.isKnown()).isFalse();
    assertThat(worker.meanTime()).isNaN();
    assertThat(worker.hasNews()).isFalse();

    worker.finish(4, 20);
    assertThat(worker.hasNews()).isTrue();
    assertThat(worker.meanTime()).as("collected, not learned yet").isEqualTo(5);
    assertThat(learn()).isFalse();

    assertThat(worker.hasNews()).isFalse();
    assertThat(worker.isKnown()).isTrue();
    assertThat(worker.meanTime()).isEqualTo(5);
  }

  @Test
  void learn_reportsOfSeveralSlots_areOneRound() {
    TrackedWorker single = new TrackedWorker(AdaptiveTuning.DEFAULT, /* round= */ 0);
    for (int round = 1; round <= 5; round++) {
      worker.finish(1, 3);
      worker.finish(round, 2.5 * round);
      worker.finish(3, 5);
      learn();
      single.finish(4 + round, 8 + 2.5 * round);
      single.learn(new TimeNoise());
    }

    assertThat(worker.sums()).usingRecursiveComparison().isEqualTo(single.sums());
  }

  @Test
  void learn_lateReport_countsInTheRoundItArrives() {
    worker.finish(4, 8);
    learn();

    worker.finish(4, 8);
    worker.finish(2, 4);
    learn();
    worker.finish(2, 4);
    assertThat(worker.meanTime()).as("as of the last round").isEqualTo(2);
    learn();

    assertThat(worker.sums().units()).isEqualTo(12);
    assertThat(worker.meanTime()).isEqualTo(2);
  }

  @Test
  void learn_nothingCollected_changesNothing() {
    worker.finish(4, 8);
    learn();

    assertThat(learn()).isFalse();
    assertThat(worker.sums().units()).isEqualTo(4);
  }

  @Test
  void learn_killedOnly_isTheEstimateUntilAHigherBoundOrFinishedWork() {
    worker.kill(10, 50);
    assertThat(worker.meanTime()).isEqualTo(5);
    learn();
    assertThat(worker.meanTime()).isEqualTo(5);

    worker.kill(10, 40);
    learn();
    assertThat(worker.meanTime()).as("no bound above the estimate").isEqualTo(5);

    worker.kill(10, 80);
    learn();
    assertThat(worker.meanTime()).as("raised to the new bound").isEqualTo(8);
    assertThat(worker.sums().units()).isEqualTo(10);

    worker.finish(10, 30);
    assertThat(learn()).as("a bound is no speed to change").isFalse();
    assertThat(worker.meanTime()).as("finished work replaces bounds").isEqualTo(3);
  }

  @Test
  void learn_killedInTimeBesideFinishedWork_changesNothing() {
    worker.finish(30, 60);
    learn();

    worker.kill(10, 20);
    assertThat(learn()).isFalse();

    assertThat(worker.sums().units()).isEqualTo(30);
  }

  @Test
  void learn_killedOverdueBesideFinishedWork_countsLikeARound() {
    worker.finish(30, 60);
    learn();

    worker.kill(10, 60);
    learn();

    assertThat(worker.meanTime()).isEqualTo(3);
  }

  @Test
  void learn_slowerForThreeRounds_hasChangedAndRemembersThoseAsOne() {
    settle();

    assertThat(finish(30)).isFalse();
    assertThat(finish(31)).isFalse();
    assertThat(finish(32)).isTrue();

    assertThat(worker.meanTime()).isCloseTo(31, within(1e-9));
    assertThat(worker.sums().units()).isEqualTo(UNITS);
  }

  @Test
  void learn_fasterForThreeRounds_hasChanged() {
    settle();

    assertThat(finish(0.1)).isFalse();
    assertThat(finish(0.1)).isFalse();
    assertThat(finish(0.1)).isTrue();

    assertThat(worker.meanTime()).isCloseTo(0.1, within(1e-9));
  }

  /**
   * As a difference, which is at least -1, four times as fast is within the variation of six units.
   */
  @Test
  void learn_fasterWithFewUnits_hasChangedWithinEightRounds() {
    for (int round = 0; round < 8; round++) {
      worker.finish(6, 6 * 4 * (round % 2 == 0 ? 0.8 : 1.2));
      assertThat(learn()).isFalse();
    }
    int rounds = 0;
    do {
      worker.finish(6, 6 * (rounds % 2 == 0 ? 0.8 : 1.2));
      rounds++;
    } while (!learn() && rounds < 100);
    assertThat(rounds).isLessThanOrEqualTo(8);
  }

  @Test
  void learn_changed_countsTheOverheadFromThen() {
    for (int round = 0; round < 9; round++) {
      worker.overhead().collect(400);
      finish(10);
    }
    assertThat(worker.overhead().median()).isEqualTo(400);
    for (int round = 0; round < 3; round++) {
      assertThat(worker.overhead().median()).isEqualTo(400);
      worker.overhead().collect(20);
      finish(0.1);
    }
    assertThat(worker.overhead().median()).isEqualTo(20);
  }

  @Test
  void learn_oneStrayRound_isNoChange() {
    settle();

    assertThat(finish(1000)).isFalse();
    for (int round = 0; round < 20; round++) {
      assertThat(finish(worker.meanTime())).isFalse();
    }
  }

  @Test
  void believe_prior_isTheEstimate() {
    worker.believe(new Prior(3, 50));

    assertThat(worker.isKnown()).isTrue();
    assertThat(worker.meanTime()).isEqualTo(3);
    assertThat(worker.sums().units()).isEqualTo(50);
    assertThat(worker.prior()).isEqualTo(new Prior(3, 50));
    assertThat(worker.isPriorTested()).isFalse();
  }

  @Test
  void believe_firstRoundFitting_blends() {
    worker.believe(new Prior(3, UNITS));

    assertThat(finish(3.2)).isFalse();

    assertThat(worker.meanTime()).isCloseTo(3.1, within(1e-9));
    assertThat(worker.isPriorTested()).isTrue();
  }

  @Test
  void believe_firstRoundFarOff_isOverthrown() {
    worker.believe(new Prior(3, 1e6));

    assertThat(finish(300)).isTrue();

    assertThat(worker.meanTime()).isEqualTo(300);
    assertThat(worker.sums().units()).isEqualTo(UNITS);
    assertThat(worker.isPriorTested()).as("still evidence against priors").isTrue();
  }

  @Test
  void believe_secondRoundFarOff_isOneStrayRound() {
    worker.believe(new Prior(3, UNITS));
    finish(3);

    assertThat(finish(300)).isFalse();

    assertThat(worker.sums().units()).isEqualTo(3 * UNITS);
  }

  @Test
  void believe_killedWorkFarOver_overthrowsToo() {
    worker.believe(new Prior(3, UNITS));
    worker.kill(UNITS, 300 * UNITS);

    assertThat(learn()).isTrue();

    assertThat(worker.meanTime()).isEqualTo(300);
  }

  @Test
  void disbelieve_somethingSeen_leavesThat() {
    worker.believe(new Prior(3, UNITS));
    finish(3.2);

    worker.disbelieve();

    assertThat(worker.prior()).isNull();
    assertThat(worker.isPriorTested()).isFalse();
    assertThat(worker.meanTime()).isCloseTo(3.2, within(1e-9));
    assertThat(worker.sums().units()).isEqualTo(UNITS);
  }

  @Test
  void disbelieve_changedSince_leavesTheNewSpeed() {
    worker.believe(new Prior(1, UNITS));
    settle();
    finish(30);
    finish(30);
    assertThat(finish(30)).isTrue();

    worker.disbelieve();

    assertThat(worker.meanTime()).isCloseTo(30, within(1e-9));
    assertThat(worker.sums().units()).isEqualTo(UNITS);
  }

  @Test
  void disbelieve_nothingSeen_isUnknownAndStartsFromItsFirstRound() {
    worker.believe(new Prior(3, UNITS));

    worker.disbelieve();
    assertThat(worker.isKnown()).isFalse();
    assertThat(worker.meanTime()).isNaN();

    assertThat(finish(300)).isFalse();
    assertThat(worker.meanTime()).isEqualTo(300);
    assertThat(finish(9000)).isFalse();
    assertThat(finish(9000)).isFalse();
    assertThat(finish(9000)).as("changes are still seen").isTrue();
  }

  @Test
  void forget_halfwayToAChange_startsAnew() {
    settle();
    finish(30);
    finish(30);

    worker.forget();
    assertThat(worker.isKnown()).isFalse();
    assertThat(worker.meanTime()).isNaN();

    assertThat(finish(5)).isFalse();
    assertThat(worker.meanTime()).isEqualTo(5);
    assertThat(finish(50)).as("what led to a change is forgotten, too").isFalse();
  }

  @Test
  void restedRounds_sinceItsLastWork_areCounted() {
    assertThat(worker.restedRounds(1)).isZero();
    assertThat(worker.restedRounds(4)).isEqualTo(3);

    worker.work(4);

    assertThat(worker.hasWorkedIn(4)).isTrue();
    assertThat(worker.hasWorkedIn(5)).isFalse();
    assertThat(worker.restedRounds(5)).isZero();
    assertThat(worker.restedRounds(7)).isEqualTo(2);
  }

  private void settle() {
    for (int round = 0; round < 5; round++) {
      assertThat(finish(1)).isFalse();
    }
  }

  private boolean finish(double timePerUnit) {
    worker.finish(UNITS, timePerUnit * UNITS);
    return learn();
  }

  private boolean learn() {
    return worker.learn(noise);
  }
}
