package io.sparkata.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator;
import org.apache.spark.ml.optim.aggregator.HingeBlockAggregator;
import org.apache.spark.ml.optim.aggregator.LeastSquaresBlockAggregator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockFastPathTest {
  private static final int WIDTH = 5;
  private static final int ROWS = 20;

  private final AggregatorFixture made = new AggregatorFixture(1, WIDTH);

  @Test
  void add_anotherClass_isLeftToSpark() {
    InstanceBlock block = made.block(ROWS, 1, new double[0]);
    HingeBlockAggregator hinge =
        new HingeBlockAggregator(
            made.deviations(), made.means(), true, made.coefficients(WIDTH + 1));
    LeastSquaresBlockAggregator squares =
        new LeastSquaresBlockAggregator(
            made.deviations(), made.means(), true, 1, 0, made.coefficients(WIDTH));

    for (Object other : List.of(hinge, squares, new Subclass(made), "no aggregator")) {
      assertThat(BlockFastPath.add(other, block)).as(other.getClass().getName()).isFalse();
    }
    assertThat(BlockFastPath.add(null, block)).isFalse();
    assertThat(hinge.weightSum()).isZero();
  }

  @Test
  void add_anotherElement_isLeftToSpark() {
    BinaryLogisticBlockAggregator sum = made.logistic(true, true);
    InstanceBlock wider = new AggregatorFixture(1, WIDTH + 1).block(ROWS, 1, new double[0]);

    for (Object other : List.of(wider, "no block")) {
      assertThat(BlockFastPath.add(sum, other)).isFalse();
    }
    assertThat(BlockFastPath.add(sum, null)).isFalse();
    assertThatThrownBy(() -> sum.add(wider)).isInstanceOf(IllegalArgumentException.class);
    assertUntouched(sum);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN})
  void add_wrongWeight_isLeftToSparkWhichThrows(double wrong) {
    BinaryLogisticBlockAggregator sum = made.logistic(true, true);
    double[] weights = made.weights(ROWS);
    weights[ROWS / 2] = wrong;
    InstanceBlock block = made.block(ROWS, 1, weights);

    assertThat(BlockFastPath.add(sum, block)).isFalse();
    assertUntouched(sum);
    assertThatThrownBy(() -> sum.add(block)).hasMessageContaining("has to be >= 0.0");
  }

  @Test
  void add_allWeightsZero_isLeftToSparkWhichAddsNothing() {
    BinaryLogisticBlockAggregator sum = made.logistic(true, true);
    InstanceBlock block = made.block(ROWS, 1, new double[ROWS]);

    assertThat(BlockFastPath.add(sum, block)).isFalse();
    assertUntouched(sum.add(block));
  }

  @Test
  void add_oneBlock_leavesItsArraysAlone() {
    double[] weights = made.weights(ROWS);
    InstanceBlock block = made.block(ROWS, 1, weights);
    double[] labels = block.labels().clone();
    double[] values = block.matrix().toArray();
    double[] copy = weights.clone();

    assertThat(BlockFastPath.add(made.logistic(true, true), block)).isTrue();

    assertThat(block.labels()).isEqualTo(labels);
    assertThat(block.matrix().toArray()).isEqualTo(values);
    assertThat(weights).isEqualTo(copy);
  }

  @Test
  void isKnown_eachLine_isByMajorAndMinorVersion() {
    assertThat(List.of("3.5.6", "3.5.7-vendor.1", "4.0.1", "4.1.0", "4.2.0"))
        .allMatch(BlockFastPath::isKnown);
    assertThat(List.of("3.4.4", "4.3.0", "4.10.0", "5.0.0", "")).noneMatch(BlockFastPath::isKnown);
  }

  private static void assertUntouched(BinaryLogisticBlockAggregator sum) {
    assertThat(sum.weightSum()).isZero();
    assertThat(sum.lossSum()).isZero();
    assertThat(Arrays.stream(sum.gradientSumArray())).containsOnly(0.0);
  }

  /** May compute anything. */
  private static final class Subclass extends BinaryLogisticBlockAggregator {
    private static final long serialVersionUID = 1L;

    Subclass(AggregatorFixture made) {
      super(made.deviations(), made.means(), true, true, made.coefficients(WIDTH + 1));
    }
  }
}
