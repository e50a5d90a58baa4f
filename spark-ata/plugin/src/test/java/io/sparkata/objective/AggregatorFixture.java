package io.sparkata.objective;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator;
import scala.reflect.ClassTag;

/** Spark's aggregators and blocks of random rows, without a SparkContext. */
public final class AggregatorFixture {
  private final SplittableRandom random;
  private final int width;
  private final double[] means;
  private final double[] coefficients;

  AggregatorFixture(long seed, int width) {
    random = new SplittableRandom(seed);
    this.width = width;
    means = numbers(width);
    coefficients = numbers(width + 1);
  }

  double[] numbers(int count) {
    return random.doubles(count, -1, 1).toArray();
  }

  /** 0 or 1, one per row. */
  double[] labels(int rows) {
    return random.ints(rows, 0, 2).asDoubleStream().toArray();
  }

  /** From 0 to 3, a third of them 0. */
  double[] weights(int rows) {
    return random.doubles(rows, -1, 2).map(number -> Math.max(0, 1.5 * number)).toArray();
  }

  BinaryLogisticBlockAggregator logistic(boolean fitIntercept, boolean fitWithMean) {
    double[] model = fitIntercept ? coefficients : Arrays.copyOf(coefficients, width);
    return new BinaryLogisticBlockAggregator(
        deviations(), local(means), fitIntercept, fitWithMean, local(Vectors.dense(model)));
  }

  Broadcast<double[]> deviations() {
    double[] ones = new double[width];
    Arrays.fill(ones, 1);
    return local(ones);
  }

  Broadcast<double[]> means() {
    return local(means);
  }

  Broadcast<Vector> coefficients(int count) {
    return local(Vectors.dense(Arrays.copyOf(coefficients, count)));
  }

  /**
   * Rows of random values.
   *
   * @param density share of values that are not 0; 1 for a dense matrix
   */
  InstanceBlock block(int rows, double density, double[] weights) {
    double[] values = numbers(rows * width);
    for (int k = 0; k < values.length; k++) {
      values[k] = random.nextDouble() < density ? 3 * values[k] : 0;
    }
    DenseMatrix dense = new DenseMatrix(rows, width, values, /* isTransposed= */ true);
    Matrix matrix = density == 1 ? dense : dense.toSparseRowMajor();
    return new InstanceBlock(labels(rows), weights, matrix);
  }

  /** A broadcast variable without a SparkContext. */
  public static <T> Broadcast<T> local(T value) {
    return new Local<>(value);
  }

  /** A broadcast variable that never leaves its JVM. */
  private static final class Local<T> extends Broadcast<T> {
    private static final long serialVersionUID = 1L;

    private final transient T value;

    @SuppressWarnings("unchecked")
    Local(T value) {
      super(0, (ClassTag<T>) ClassTag.Any());
      this.value = value;
    }

    @Override
    public T getValue() {
      return value;
    }

    @Override
    public void doUnpersist(boolean isBlocking) {}

    @Override
    public void doDestroy(boolean isBlocking) {}
  }
}
