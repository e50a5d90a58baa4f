package io.sparkata.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator;

/** Against the {@code add} of Spark's own aggregator. */
class BlockFastPathPropertyTest {
  enum Intercept {
    NONE,
    PLAIN,
    CENTRED
  }

  /** 1 is dense. */
  private static final double[] DENSITIES = {0, 0.1, 0.5, 1};

  @Property(tries = 300)
  void add_severalBlocks_hasTheSumsOfSpark(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 40) int width,
      @ForAll @IntRange(min = 1, max = 70) int rows,
      @ForAll @IntRange(min = 0, max = 3) int density,
      @ForAll Intercept intercept,
      @ForAll boolean isWeighted) {
    AggregatorFixture made = new AggregatorFixture(seed, width);
    boolean fitIntercept = intercept != Intercept.NONE;
    boolean fitWithMean = intercept == Intercept.CENTRED;
    BinaryLogisticBlockAggregator ours = made.logistic(fitIntercept, fitWithMean);
    BinaryLogisticBlockAggregator spark = made.logistic(fitIntercept, fitWithMean);
    double size = 1;
    for (int count : new int[] {rows, 1, rows / 2 + 1}) {
      double[] weights = isWeighted ? made.weights(count) : new double[0];
      InstanceBlock block = made.block(count, DENSITIES[density], weights);
      spark.add(block);
      if (!BlockFastPath.add(ours, block)) {
        assertThat(weights).as("only without any weight").isNotEmpty().containsOnly(0);
      }
      size += 9 * count;
    }

    assertThat(ours.weightSum()).isEqualTo(spark.weightSum());
    assertThat(ours.lossSum()).isCloseTo(spark.lossSum(), within(1e-12 * spark.lossSum()));
    assertThat(ours.gradientSumArray())
        .hasSize(width + (fitIntercept ? 1 : 0))
        .containsExactly(spark.gradientSumArray(), within(1e-14 * size));
  }
}
