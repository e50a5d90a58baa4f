package io.sparkata.lab.cnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;

class AdamUpdaterTest {
  private static final double STEP = 0.1;
  private static final double[] SLOPES = {3, -2, 0, 0.5, -1, 1e-9, 4};

  @Test
  void compute_severalGradients_isTheAlgorithmAsPublished() {
    AdamUpdater adam = new AdamUpdater(2);
    Vector weights = Vectors.dense(1, -1);
    List<Double> seen = new ArrayList<>();

    for (int t = 1; t <= SLOPES.length; t++) {
      seen.add(SLOPES[t - 1]);
      weights =
          adam.compute(weights, Vectors.dense(SLOPES[t - 1], 0), STEP, t, /* regParam= */ 0)._1();

      assertThat(weights.apply(0)).as("step %d", t).isCloseTo(slowModel(1, seen), within(1e-12));
      assertThat(weights.apply(1)).as("without a slope").isEqualTo(-1);
    }
  }

  @Test
  void compute_stepSizeZero_isNoStepAndHasNoPenalty() {
    AdamUpdater asked = new AdamUpdater(1);
    Vector weights = Vectors.dense(5);

    var answer = asked.compute(weights, Vectors.dense(0), /* stepSize= */ 0, 1, /* regParam= */ 1);

    assertThat(answer._1()).isEqualTo(weights);
    assertThat(answer._2()).isEqualTo(0.0);
    assertThat(first(asked)).isEqualTo(first(new AdamUpdater(1)));
  }

  @Test
  void compute_lateIteration_stepsAsFarAsInTheFirst() {
    AdamUpdater adam = new AdamUpdater(1);

    Vector next = adam.compute(Vectors.dense(0), Vectors.dense(2), STEP, 10_000, 0)._1();

    assertThat(next.apply(0)).isCloseTo(-STEP, within(1e-8));
  }

  @Test
  void compute_always_leavesTheOldWeightsAlone() {
    Vector weights = Vectors.dense(5);

    new AdamUpdater(1).compute(weights, Vectors.dense(2), STEP, 1, 0);

    assertThat(weights.apply(0)).isEqualTo(5);
  }

  private static double first(AdamUpdater adam) {
    return adam.compute(Vectors.dense(0), Vectors.dense(2), STEP, 1, 0)._1().apply(0);
  }

  /** All steps from the start, with the moments as the sums that their recursion stands for. */
  private static double slowModel(double start, List<Double> slopes) {
    double weight = start;
    for (int t = 1; t <= slopes.size(); t++) {
      double first = 0;
      double second = 0;
      for (int i = 1; i <= t; i++) {
        double slope = slopes.get(i - 1);
        first += 0.1 * Math.pow(0.9, t - i) * slope;
        second += 0.001 * Math.pow(0.999, t - i) * slope * slope;
      }
      first /= 1 - Math.pow(0.9, t);
      second /= 1 - Math.pow(0.999, t);
      weight -= STEP * first / (Math.sqrt(second) + 1e-8);
    }
    return weight;
  }
}
