package io.sparkata.objective;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.Matrix;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The members of Spark's BinaryLogisticBlockAggregator and InstanceBlock, most of them private. The
 * versions of Spark named here have the same byte code of {@code add}.
 */
final class LogisticAggregator {
  private static final Logger LOG = LoggerFactory.getLogger(LogisticAggregator.class);

  private static final String NAME =
      "org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator";
  private static final String BLOCK = "org.apache.spark.ml.feature.InstanceBlock";
  private static final String BLAS = "org.apache.spark.ml.linalg.BLAS$";
  private static final Set<String> VERSIONS = Set.of("3.5", "4.0", "4.1", "4.2");

  private final Class<?> block;
  private final Method labels;
  private final Method weights;
  private final Method matrix;
  private final Object blas;
  private final Method gemv;
  private final Method width;
  private final Method coefficients;
  private final Method marginOffset;
  private final Field fitIntercept;
  private final Field fitWithMean;
  private final Field scaledMean;
  private final Method gradient;
  private final Method weightSum;
  private final Method setWeightSum;
  private final Method lossSum;
  private final Method setLossSum;

  private LogisticAggregator(Class<?> type) throws ReflectiveOperationException {
    ClassLoader loader = type.getClassLoader();
    block = Class.forName(BLOCK, true, loader);
    labels = method(block, "labels");
    weights = method(block, "weights");
    matrix = method(block, "matrix");
    Class<?> ofBlas = Class.forName(BLAS, true, loader);
    blas = ofBlas.getField("MODULE$").get(null);
    gemv =
        method(
            ofBlas,
            "gemv",
            double.class,
            Matrix.class,
            double[].class,
            double.class,
            double[].class);
    width = method(type, "numFeatures");
    coefficients = method(type, "coefficientsArray");
    marginOffset = method(type, "marginOffset");
    fitIntercept = field(type, "fitIntercept");
    fitWithMean = field(type, "fitWithMean");
    scaledMean = field(type, "bcScaledMean");
    gradient = method(type, "gradientSumArray");
    weightSum = method(type, "weightSum");
    setWeightSum = method(type, "weightSum_$eq", double.class);
    lossSum = method(type, "lossSum");
    setLossSum = method(type, "lossSum_$eq", double.class);
  }

  /** The members, if {@code type} is that class of a Spark that is known. */
  static Optional<LogisticAggregator> find(Class<?> type) {
    if (!type.getName().equals(NAME)
        || !isKnown(org.apache.spark.package$.MODULE$.SPARK_VERSION())) {
      return Optional.empty();
    }
    try {
      return Optional.of(new LogisticAggregator(type));
    } catch (ReflectiveOperationException | RuntimeException other) {
      LOG.info(
          "Binary logistic losses are computed row by row: {} is not Apache Spark's", NAME, other);
      return Optional.empty();
    }
  }

  /** Whether {@code add} of this version of Spark is the one that was read. */
  static boolean isKnown(String version) {
    return VERSIONS.stream().anyMatch(line -> version.startsWith(line + "."));
  }

  private static Method method(Class<?> type, String name, Class<?>... parameters)
      throws ReflectiveOperationException {
    Method method = type.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return method;
  }

  private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** Whether {@code element} is a block of rows as wide as the model. */
  boolean accepts(Object aggregator, Object element) {
    return element.getClass() == block && matrix(element).numCols() == width(aggregator);
  }

  double[] labels(Object block) {
    return (double[]) call(labels, block);
  }

  /** Empty if all are 1. */
  double[] weights(Object block) {
    return (double[]) call(weights, block);
  }

  Matrix matrix(Object block) {
    return (Matrix) call(matrix, block);
  }

  /** Adds the product to {@code sum}, by Spark's BLAS. */
  void multiply(Matrix matrix, double[] vector, double[] sum) {
    call(gemv, blas, 1.0, matrix, vector, 1.0, sum);
  }

  private int width(Object aggregator) {
    return (int) call(width, aggregator);
  }

  double[] coefficients(Object aggregator) {
    return (double[]) call(coefficients, aggregator);
  }

  /** The margin of a row of zeros. */
  double marginOffset(Object aggregator) {
    if (!is(fitIntercept, aggregator)) {
      return 0;
    }
    return is(fitWithMean, aggregator)
        ? (double) call(marginOffset, aggregator)
        : coefficients(aggregator)[width(aggregator)];
  }

  double[] gradient(Object aggregator) {
    return (double[]) call(gradient, aggregator);
  }

  void addSums(Object aggregator, double weight, double loss) {
    call(setWeightSum, aggregator, (double) call(weightSum, aggregator) + weight);
    call(setLossSum, aggregator, (double) call(lossSum, aggregator) + loss);
  }

  /** Adds to the gradient what follows from the sum of the rows' multipliers. */
  void addIntercept(Object aggregator, double multiplierSum) {
    double[] sum = gradient(aggregator);
    int width = width(aggregator);
    if (is(fitWithMean, aggregator)) {
      double[] means = (double[]) ((Broadcast<?>) get(scaledMean, aggregator)).value();
      for (int j = 0; j < width; j++) {
        sum[j] -= multiplierSum * means[j];
      }
    }
    if (is(fitIntercept, aggregator)) {
      sum[width] += multiplierSum;
    }
  }

  private static boolean is(Field field, Object aggregator) {
    return (boolean) get(field, aggregator);
  }

  private static Object get(Field field, Object of) {
    try {
      return field.get(of);
    } catch (IllegalAccessException impossible) { // it was made accessible
      throw new IllegalStateException(impossible);
    }
  }

  private static Object call(Method method, Object of, Object... arguments) {
    try {
      return method.invoke(of, arguments);
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(thrown.getCause());
    } catch (IllegalAccessException impossible) { // it was made accessible
      throw new IllegalStateException(impossible);
    }
  }
}
