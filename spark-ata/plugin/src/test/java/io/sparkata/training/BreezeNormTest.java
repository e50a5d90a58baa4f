package io.sparkata.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class BreezeNormTest {

  @Test
  void euclidean_ordinaryVectors_isThePlain2Norm() {
    Random random = new Random(1);
    for (int size : new int[] {1, 2, 7, 100, 1000}) {
      double[] values = random.doubles(size, -10, 10).toArray();
      double sum = 0;
      for (double value : values) {
        sum += value * value;
      }

      assertThat(BreezeNorm.euclidean(values))
          .isCloseTo(Math.sqrt(sum), within(1e-13 * Math.sqrt(sum)));
    }
    assertThat(BreezeNorm.euclidean(new double[] {3, -4})).isEqualTo(5);
  }

  @Test
  void euclidean_emptyOrZero_isZero() {
    assertThat(BreezeNorm.euclidean(new double[0])).isZero();
    assertThat(BreezeNorm.euclidean(new double[3])).isZero();
  }

  @Test
  void euclidean_notFinite_isNotFinite() {
    assertThat(BreezeNorm.euclidean(new double[] {1, Double.NaN})).isNaN();
    assertThat(BreezeNorm.euclidean(new double[] {1, Double.NEGATIVE_INFINITY})).isInfinite();
  }

  @Test
  void euclidean_always_leavesTheVector() {
    double[] values = {3, 4};

    BreezeNorm.euclidean(values);

    assertThat(values).containsExactly(3, 4);
  }
}
