package io.sparkata.report;

import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.StringJoiner;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.param.Param;
import org.apache.spark.rdd.RDD;

/**
 * Distinguishes the fits of one application, such as those of a {@code CrossValidator}: by the
 * estimator's uid, its cached input, which is another RDD in each fold, and the parameters that the
 * user or a grid has set.
 */
public final class Fits {
  private static final int LONGEST_VALUE = 20;

  /** The estimator whose {@code fit} this thread has called last. */
  private static final ThreadLocal<WeakReference<Object>> CURRENT = new ThreadLocal<>();

  private Fits() {}

  /** Notes that this thread calls {@code fit}; null lets Spark's own body run. */
  public static Object enter(Object estimator, Object[] arguments) {
    CURRENT.set(new WeakReference<>(estimator));
    return null;
  }

  /**
   * The fit that this thread is in, such as {@code logreg_4f2a on RDD 7, maxIter=20 regParam=0.1};
   * empty if it is in none.
   *
   * @param data that the fit trains on
   * @param site of the training, such as {@code LogisticRegression.train at App.java:31}
   */
  static Optional<String> current(RDD<?> data, String site) {
    WeakReference<Object> current = CURRENT.get();
    if (current == null
        || !(current.get() instanceof PipelineStage estimator)
        || !site.startsWith(estimator.getClass().getSimpleName() + ".")) {
      return Optional.empty();
    }
    StringJoiner set = new StringJoiner(" ", ", ", "").setEmptyValue("");
    for (Param<?> param : estimator.params()) {
      if (estimator.isSet(param) && !param.name().endsWith("Col")) {
        String value = text(param, estimator);
        set.add(param.name() + "=" + value.substring(0, Math.min(LONGEST_VALUE, value.length())));
      }
    }
    return Optional.of(estimator.uid() + input(data) + set);
  }

  private static <T> String text(Param<T> param, PipelineStage estimator) {
    return param.jsonEncode(estimator.getOrDefault(param));
  }

  /** The nearest cached RDD that the data come from. */
  private static String input(RDD<?> data) {
    RDD<?> next = data;
    while (!next.dependencies().isEmpty()) {
      next = next.dependencies().head().rdd();
      if (next.getStorageLevel().isValid()) {
        return " on RDD " + next.id();
      }
    }
    return "";
  }
}
