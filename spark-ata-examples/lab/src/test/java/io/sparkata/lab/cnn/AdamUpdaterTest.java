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

    for (double slope : SLOPES) {
      seen.add(slope);
      Vector before = weights.copy();
      // The iteration is MLlib's count, not Adam's.
      Vector next = adam.compute(weights, Vectors.dense(slope, 0), STEP, 10_000, 0)._1();

      assertThat(next.apply(0)).isCloseTo(slowModel(1, seen), within(1e-12));
      assertThat(next.apply(1)).as("without a slope").isEqualTo(-1);
      assertThat(weights).as("the old ones").isEqualTo(before);
      weights = next;
    }
  }

  @Test
  void compute_stepSizeZero_isNoStepAndHasNoPenalty() {
    AdamUpdater asked = new AdamUpdater(1);
    Vector weights = Vectors.dense(5);

    var answer = asked.compute(weights, Vectors.dense(0), /* stepSize= */ 0, 1, /* regParam= */ 1);

    assertThat(answer._1()).isEqualTo(weights);
    assertThat(answer._2()).isEqualTo(0.0);
    assertThat(asked.compute(Vectors.dense(0), Vectors.dense(2), STEP, 1, 0)._1().apply(0))
        .as("the first step")
        .isCloseTo(-STEP, within(1e-8));
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
