package io.sparkata.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class QuadraticTest {
  private static final int D = Quadratic.DIMENSION;

  @Test
  void step_withoutNoise_isGradientDescentOnTheFormula() {
    double[] x = new double[D];
    x[0] = Math.sqrt(D);
    Quadratic path = new Quadratic(23, /* noise= */ 0, 1);
    for (int k = 0; k < 500; k++) {
      assertThat(path.suboptimality()).isCloseTo(f(x) + D / (8.0 * (D + 1)), within(1e-10));
      double[] gradient = timesA(x);
      gradient[0] += 0.25;
      for (int i = 0; i < D; i++) {
        x[i] -= Quadratic.STEP * gradient[i];
      }
      path.step();
    }
  }

  @Test
  void step_withNoise_movesByTheNoiseOverTheRootOfTheBatch() {
    double noise = 1e6; // far above the gradient
    SplittableRandom draws = new SplittableRandom(5);
    double[] moved = new double[D + 2];
    for (int i = 1; i <= D; i++) {
      moved[i] = -Quadratic.STEP * noise / 5 * draws.nextGaussian();
    }
    double expected = 0;
    for (int i = 1; i <= D; i++) {
      expected += moved[i] * (2 * moved[i] - moved[i - 1] - moved[i + 1]) / 8;
    }
    Quadratic path = new Quadratic(/* batch= */ 25, noise, 5);

    path.step();

    assertThat(path.suboptimality()).isCloseTo(expected, within(0.05 * expected));
  }

  @Test
  void suboptimality_ofAGrid_isThatOfThePathAtItsRounds() {
    var some = Quadratic.suboptimality(new long[] {3, 50}, 23, 9);

    assertThat(some.get(50L))
        .isEqualTo(Quadratic.suboptimality(new long[] {50}, 23, 9).get(50L))
        .isLessThan(some.get(3L));
  }

  private static double f(double[] x) {
    double[] product = timesA(x);
    double sum = x[0] / 4; // -b'x
    for (int i = 0; i < D; i++) {
      sum += x[i] * product[i] / 2;
    }
    return sum;
  }

  private static double[] timesA(double[] x) {
    double[] product = new double[D];
    for (int i = 0; i < D; i++) {
      double left = i > 0 ? x[i - 1] : 0;
      double right = i < D - 1 ? x[i + 1] : 0;
      product[i] = (2 * x[i] - left - right) / 4;
    }
    return product;
  }
}
