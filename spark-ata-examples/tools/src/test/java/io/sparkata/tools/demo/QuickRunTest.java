package io.sparkata.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sparkata.tools.RunFailure;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;

class QuickRunTest {
  @Test
  void secondsPerIteration_slowFirstHalf_isTheMedianOfTheLaterHalf() {
    QuickRun run = withRounds(List.of(9.0, 12.0, 13.0, 13.5, 14.0, 16.0));

    assertThat(run.settled()).isEqualTo(4);
    assertThat(run.secondsPerIteration()).isEqualTo(0.5);
  }

  @Test
  void secondsPerIteration_twoRounds_isTheSecondOnes() {
    assertThat(withRounds(List.of(9.0, 12.0)).secondsPerIteration()).isEqualTo(3.0);
  }

  @Test
  void secondsToLoss_losses_isTheEndOfTheFirstRoundThatSawIt() {
    QuickRun run = DemoFigures.run(DemoSide.ADAPTIVE, /* seconds= */ 2, /* rounds= */ 3);

    assertThat(run.secondsToLoss(0.25)).isEqualTo(4);
    assertThat(run.secondsToLoss(0.25 * (1 - 1e-12))).as("rounding").isEqualTo(4);
    assertThat(run.secondsToLoss(0.2)).isEqualTo(6);
    assertThat(run.secondsToLoss(0.1)).as("never").isNaN();
  }

  @Test
  void weightDifference_smallWeights_isRelativeToOne() {
    Vector small = Vectors.dense(0.0, 0.5);
    Vector large = Vectors.dense(0.0, 20.0);

    assertThat(DemoRun.weightDifference(small, Vectors.dense(0.1, 0.5))).isEqualTo(0.1);
    assertThat(DemoRun.weightDifference(large, Vectors.dense(2.0, 20.0))).isEqualTo(0.1);
    assertThat(DemoRun.weightDifference(small, small)).isZero();
  }

  @Test
  void demoRun_figureThatIsNotFinite_isRefused() {
    assertThatExceptionOfType(RunFailure.class)
        .isThrownBy(() -> demoRun("uniform", 1.0, Double.NaN))
        .withMessage("Invalid maxWeightDifference of uniform: NaN (finite). Set --step to less.");
    assertThatExceptionOfType(RunFailure.class)
        .isThrownBy(() -> demoRun("mllib", Double.POSITIVE_INFINITY, 0.0))
        .withMessageStartingWith("Invalid secondsPerIteration of mllib: Infinity");
  }

  private static DemoRun demoRun(String policy, double seconds, double weightDifference) {
    return new DemoRun(
        policy,
        seconds,
        30.0,
        0.5,
        new TreeMap<>(DemoFigures.SPEEDS),
        new TreeMap<>(DemoFigures.SPEEDS),
        60.0,
        0.4,
        weightDifference);
  }

  private static QuickRun withRounds(List<Double> ends) {
    QuickRun some = DemoFigures.run(DemoSide.UNIFORM, /* seconds= */ 1, ends.size());
    return new QuickRun(
        some.side(),
        some.callSeconds(),
        some.rounds(),
        some.workerSeconds(),
        some.updates(),
        ends,
        some.losses(),
        some.weightDifference(),
        some.comparedUpdates());
  }
}
