package io.sparkata.objective;

import java.lang.reflect.Field;
import java.util.Optional;

/**
 * The remedy for SPARK-59562. MultinomialLogisticBlockAggregator keeps a buffer between blocks and
 * does not clear the part of a class whose offset is 0. The sum of several blocks is then wrong. An
 * aggregator whose buffer is null makes a new one.
 */
final class ReusedBuffer {
  private static final String AGGREGATOR =
      "org.apache.spark.ml.optim.aggregator.MultinomialLogisticBlockAggregator";
  private static final String FIELD = "buffer";

  private static final ClassValue<Optional<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected Optional<Field> computeValue(Class<?> type) {
          return find(type);
        }
      };

  private ReusedBuffer() {}

  /** Makes the aggregator forget its buffer if it is of the faulty class; else does nothing. */
  static void forget(Object aggregator) {
    if (aggregator == null) {
      return;
    }
    Optional<Field> buffer = FIELDS.get(aggregator.getClass());
    if (buffer.isPresent()) {
      try {
        buffer.get().set(aggregator, null);
      } catch (IllegalAccessException impossible) { // it was made accessible
        throw new IllegalStateException(impossible);
      }
    }
  }

  /** Whether sums of this class of aggregator differ from Spark's, which are wrong. */
  static boolean isIn(Object aggregator) {
    return aggregator != null && FIELDS.get(aggregator.getClass()).isPresent();
  }

  private static Optional<Field> find(Class<?> type) {
    if (!type.getName().equals(AGGREGATOR)) {
      return Optional.empty();
    }
    for (Field field : type.getDeclaredFields()) {
      if (field.getName().endsWith(FIELD) && field.getType() == double[].class) {
        field.setAccessible(true);
        return Optional.of(field);
      }
    }
    return Optional.empty();
  }
}
