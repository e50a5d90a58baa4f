package io.sparkata.objective;

import io.sparkata.kernel.Logistic;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.ml.linalg.Matrix;

/**
 * Adds blocks to Spark's aggregator of binary logistic losses as its own {@code add} does, but with
 * the losses in vectors; the products are Spark's BLAS. The sums equal Spark's up to rounding.
 * Other aggregators gain too little (docs/decisions/27-instance-blocks.md).
 *
 * <p>Used in tasks, without state.
 */
public final class BlockFastPath {
  private static final ClassValue<Optional<LogisticAggregator>> AGGREGATORS =
      new ClassValue<>() {
        @Override
        protected Optional<LogisticAggregator> computeValue(Class<?> type) {
          return LogisticAggregator.find(type);
        }
      };

  private BlockFastPath() {}

  /**
   * Adds a block of rows to an aggregator.
   *
   * @param aggregator a sum of Spark's, or anything else
   * @param element a block that it accepts, or anything else
   * @return whether it is added; if not, nothing has changed, and Spark's own {@code add} must add
   *     it or throw
   */
  public static boolean add(Object aggregator, Object element) {
    if (aggregator == null || element == null) {
      return false;
    }
    Optional<LogisticAggregator> found = AGGREGATORS.get(aggregator.getClass());
    if (found.isEmpty() || !found.get().accepts(aggregator, element)) {
      return false;
    }
    return add(found.get(), aggregator, element);
  }

  private static boolean add(LogisticAggregator of, Object aggregator, Object block) {
    double[] labels = of.labels(block);
    double[] weights = of.weights(block);
    double weightSum = weights.length == 0 ? labels.length : weightSum(weights);
    if (!(weightSum > 0)) {
      return false;
    }
    Matrix rows = of.matrix(block);
    double[] multipliers = new double[labels.length];
    Arrays.fill(multipliers, of.marginOffset(aggregator));
    of.multiply(rows, of.coefficients(aggregator), multipliers);
    double lossSum = Logistic.get().toMultipliers(multipliers, labels, weights);
    of.addSums(aggregator, weightSum, lossSum);
    if (Arrays.stream(multipliers).anyMatch(multiplier -> multiplier != 0)) {
      of.multiply(rows.transpose(), multipliers, of.gradient(aggregator));
      of.addIntercept(aggregator, sum(multipliers));
    }
    return true;
  }

  /** NaN if a weight is negative or no number. */
  private static double weightSum(double[] weights) {
    for (double weight : weights) {
      if (!(weight >= 0)) {
        return Double.NaN;
      }
    }
    return sum(weights);
  }

  /** In the order of the rows, as Spark adds. */
  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }
}
