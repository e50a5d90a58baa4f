package io.sparkata.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

class IterationClockTest {
  @Test
  void compute_anyArguments_answersAsTheUpdater() {
    Vector weights = Vectors.dense(1.0, 2.0);
    Vector gradient = Vectors.dense(0.5, 0.25);
    Updater updater = new SquaredL2Updater();
    Tuple2<Vector, Object> answer =
        new IterationClock(updater).compute(weights, gradient, 0.1, 3, 0.01);

    assertThat(answer).isEqualTo(updater.compute(weights, gradient, 0.1, 3, 0.01));
  }

  @Test
  void medianSecondsFrom_questionForTheFirstRegularisation_isNoIteration() {
    IterationClock clock = new IterationClock(new SquaredL2Updater());
    Vector one = Vectors.dense(1.0);
    clock.compute(one, one, /* stepSize= */ 0, 1, 0.1);
    for (int iteration = 1; iteration <= 3; iteration++) {
      clock.compute(one, one, 1.0, iteration, 0.1);
    }

    // Three updates have two times between them: from iteration 2 on there are both, from 3 on one.
    assertThat(clock.medianSecondsFrom(2)).isBetween(0.0, 10.0);
    assertThat(clock.medianSecondsFrom(3)).isBetween(0.0, 10.0);
  }
}
