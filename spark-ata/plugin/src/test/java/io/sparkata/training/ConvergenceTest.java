package io.sparkata.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class ConvergenceTest {
  /** MLlib's expression. */
  private static boolean byBreeze(double[] previous, double[] current, double tolerance) {
    double[] difference = new double[current.length];
    for (int i = 0; i < difference.length; i++) {
      difference[i] = current[i] - previous[i];
    }
    return Convergence.breezeNorm(difference)
        < tolerance * Math.max(Convergence.breezeNorm(current), 1.0);
  }

  private static double ratio(double[] previous, double[] current) {
    double squares = 0;
    double all = 0;
    for (int i = 0; i < current.length; i++) {
      squares += Math.pow(current[i] - previous[i], 2);
      all += current[i] * current[i];
    }
    return Math.sqrt(squares) / Math.max(Math.sqrt(all), 1);
  }

  private static void assertAsMllib(double[] previous, double[] current, double tolerance) {
    assertThat(Convergence.isReached(Vectors.dense(previous), Vectors.dense(current), tolerance))
        .as("tolerance %s", tolerance)
        .isEqualTo(byBreeze(previous, current, tolerance));
  }

  @Test
  void isReached_toleranceAtTheRatio_isMllibsDecision() {
    Random random = new Random(1);
    for (int trial = 0; trial < 3000; trial++) {
      int size = 1 + random.nextInt(60);
      double scale = Math.pow(10, random.nextInt(7) - 3);
      double[] previous = random.doubles(size, -scale, scale).toArray();
      double[] current = random.doubles(size, -scale, scale).toArray();
      double tolerance = ratio(previous, current);
      assertAsMllib(previous, current, tolerance);
      assertAsMllib(previous, current, Math.nextUp(tolerance));
      assertAsMllib(previous, current, Math.nextDown(tolerance));
      assertAsMllib(previous, current, 0.5 * tolerance);
      assertAsMllib(previous, current, 2 * tolerance);
    }
  }

  @Test
  void isReached_valuesThatUnderflowOverflowOrAreNoNumbers_isMllibsDecision() {
    for (double value : new double[] {0, 1e-170, 1e-308, 1e160, 1e308, Double.NaN, 1 / 0.0}) {
      for (double tolerance : new double[] {0, 1e-200, 1e-160, 1e-3, 0.5, 1, 2}) {
        assertAsMllib(new double[] {0, 0}, new double[] {value, value}, tolerance);
        assertAsMllib(new double[] {value, 0}, new double[] {value, value}, tolerance);
      }
    }
  }

  @Test
  void breezeNorm_ordinaryVectors_isThePlain2Norm() {
    Random random = new Random(1);
    for (int size : new int[] {1, 2, 7, 100, 1000}) {
      double[] values = random.doubles(size, -10, 10).toArray();
      double sum = 0;
      for (double value : values) {
        sum += value * value;
      }

      assertThat(Convergence.breezeNorm(values))
          .isCloseTo(Math.sqrt(sum), within(1e-13 * Math.sqrt(sum)));
    }
    assertThat(Convergence.breezeNorm(new double[] {3, -4})).isEqualTo(5);
  }

  @Test
  void breezeNorm_emptyOrZero_isZero() {
    assertThat(Convergence.breezeNorm(new double[0])).isZero();
    assertThat(Convergence.breezeNorm(new double[3])).isZero();
  }

  @Test
  void breezeNorm_notFinite_isNotFinite() {
    assertThat(Convergence.breezeNorm(new double[] {1, Double.NaN})).isNaN();
    assertThat(Convergence.breezeNorm(new double[] {1, Double.NEGATIVE_INFINITY})).isInfinite();
  }

  @Test
  void breezeNorm_always_leavesTheVector() {
    double[] values = {3, 4};

    Convergence.breezeNorm(values);

    assertThat(values).containsExactly(3, 4);
  }
}
