package io.sparkata.objective;

import io.sparkata.kernel.Logistic;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.Matrix;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds blocks to Spark's aggregator of binary logistic losses as its own {@code add} does, but with
 * the losses in vectors; the products are Spark's BLAS. The sums equal Spark's up to rounding.
 * Other aggregators gain too little (docs/decisions/27-instance-blocks.md).
 *
 * <p>An object holds the members of that class and of InstanceBlock, most of them private. The
 * versions of Spark named here have the same byte code of {@code add}. Used in tasks.
 */
public final class BlockFastPath {
  private static final Logger LOG = LoggerFactory.getLogger(BlockFastPath.class);

  private static final String NAME =
      "org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator";
  private static final String BLOCK = "org.apache.spark.ml.feature.InstanceBlock";
  private static final String BLAS = "org.apache.spark.ml.linalg.BLAS$";
  private static final Set<String> VERSIONS = Set.of("3.5", "4.0", "4.1", "4.2");

  private static final ClassValue<Optional<BlockFastPath>> AGGREGATORS =
      new ClassValue<>() {
        @Override
        protected Optional<BlockFastPath> computeValue(Class<?> type) {
          return find(type);
        }
      };

  private final Class<?> block;
  private final Object blas;
  private final Map<String, Method> methods = new HashMap<>();
  private final Map<String, Field> fields = new HashMap<>();

  private BlockFastPath(Class<?> type) throws ReflectiveOperationException {
    ClassLoader loader = type.getClassLoader();
    block = Class.forName(BLOCK, true, loader);
    for (String name : List.of("labels", "weights", "matrix")) {
      findMethod(block, name);
    }
    Class<?> ofBlas = Class.forName(BLAS, true, loader);
    blas = ofBlas.getField("MODULE$").get(null);
    Class<?>[] gemv = {double.class, Matrix.class, double[].class, double.class, double[].class};
    findMethod(ofBlas, "gemv", gemv);
    for (String name : List.of("numFeatures", "coefficientsArray", "marginOffset")) {
      findMethod(type, name);
    }
    for (String name : List.of("gradientSumArray", "weightSum", "lossSum")) {
      findMethod(type, name);
    }
    findMethod(type, "weightSum_$eq", double.class);
    findMethod(type, "lossSum_$eq", double.class);
    for (String name : List.of("fitIntercept", "fitWithMean", "bcScaledMean")) {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      fields.put(name, field);
    }
  }

  private void findMethod(Class<?> type, String name, Class<?>... parameters)
      throws ReflectiveOperationException {
    Method method = type.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    methods.put(name, method);
  }

  /** The members, if {@code type} is that class of a Spark that is known. */
  private static Optional<BlockFastPath> find(Class<?> type) {
    if (!type.getName().equals(NAME)
        || !isKnown(org.apache.spark.package$.MODULE$.SPARK_VERSION())) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BlockFastPath(type));
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

  /**
   * Adds a block of rows to an aggregator.
   *
   * @param aggregator a sum of Spark's, or anything else
   * @param element a block of rows as wide as the model, or anything else
   * @return whether it is added; if not, nothing has changed, and Spark's own {@code add} must add
   *     it or throw
   */
  public static boolean add(Object aggregator, Object element) {
    if (aggregator == null || element == null) {
      return false;
    }
    Optional<BlockFastPath> found = AGGREGATORS.get(aggregator.getClass());
    return found.isPresent()
        && element.getClass() == found.get().block
        && found.get().addBlock(aggregator, element);
  }

  private boolean addBlock(Object aggregator, Object element) {
    Matrix rows = (Matrix) call("matrix", element);
    int width = (int) call("numFeatures", aggregator);
    double[] labels = numbers("labels", element);
    double[] weights = numbers("weights", element); // empty if all are 1
    double weightSum = weights.length == 0 ? labels.length : weightSum(weights);
    if (rows.numCols() != width || !(weightSum > 0)) {
      return false;
    }
    double[] coefficients = numbers("coefficientsArray", aggregator);
    double[] multipliers = new double[labels.length];
    Arrays.fill(multipliers, marginOffset(aggregator, coefficients, width));
    multiply(rows, coefficients, multipliers);
    double lossSum = Logistic.get().toMultipliers(multipliers, labels, weights);
    increase("weightSum", aggregator, weightSum);
    increase("lossSum", aggregator, lossSum);
    if (Arrays.stream(multipliers).anyMatch(multiplier -> multiplier != 0)) {
      double[] gradient = numbers("gradientSumArray", aggregator);
      multiply(rows.transpose(), multipliers, gradient);
      addIntercept(aggregator, sum(multipliers), gradient, width);
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

  /** The margin of a row of zeros. */
  private double marginOffset(Object aggregator, double[] coefficients, int width) {
    if (!is("fitIntercept", aggregator)) {
      return 0;
    }
    return is("fitWithMean", aggregator)
        ? (double) call("marginOffset", aggregator)
        : coefficients[width];
  }

  /** Adds the product to {@code sum}, by Spark's BLAS. */
  private void multiply(Matrix matrix, double[] vector, double[] sum) {
    call("gemv", blas, 1.0, matrix, vector, 1.0, sum);
  }

  private void increase(String sum, Object aggregator, double more) {
    call(sum + "_$eq", aggregator, (double) call(sum, aggregator) + more);
  }

  /** Adds to the gradient what follows from the sum of the rows' multipliers. */
  private void addIntercept(Object aggregator, double multiplierSum, double[] gradient, int width) {
    if (is("fitWithMean", aggregator)) {
      double[] means = (double[]) ((Broadcast<?>) get("bcScaledMean", aggregator)).value();
      for (int j = 0; j < width; j++) {
        gradient[j] -= multiplierSum * means[j];
      }
    }
    if (is("fitIntercept", aggregator)) {
      gradient[width] += multiplierSum;
    }
  }

  private boolean is(String field, Object aggregator) {
    return (boolean) get(field, aggregator);
  }

  private Object get(String field, Object of) {
    try {
      return fields.get(field).get(of);
    } catch (IllegalAccessException impossible) { // it was made accessible
      throw new IllegalStateException(impossible);
    }
  }

  private double[] numbers(String method, Object of) {
    return (double[]) call(method, of);
  }

  private Object call(String method, Object of, Object... arguments) {
    try {
      return methods.get(method).invoke(of, arguments);
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
