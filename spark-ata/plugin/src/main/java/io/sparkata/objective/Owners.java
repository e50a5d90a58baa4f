package io.sparkata.objective;

import java.util.List;
import java.util.Set;

/**
 * Tells the optimizers' sums from all other calls of {@code treeAggregate}, by the class in whose
 * source seqOp is written. The name of that owner is seqOp's class name up to {@code $$Lambda}, or
 * up to {@code $$anonfun$} where a Scala compiler has made an anonymous class of the closure. On a
 * JVM that names lambdas differently nothing is ours, and Spark sums.
 *
 * <p>The allowed owners make no other closure for {@code treeAggregate}. Left out for now: {@code
 * org.apache.spark.mllib.clustering.GaussianMixture} and {@code
 * org.apache.spark.mllib.linalg.distributed.RowMatrix}, which sum over a persisted RDD too and need
 * only their names here.
 */
public final class Owners {
  private static final Set<String> ALLOWED =
      Set.of(
          "org.apache.spark.ml.optim.loss.RDDLossFunction",
          "org.apache.spark.mllib.optimization.LBFGS$CostFun");

  /** Makes the means and deviations before spark.ml's optimizers begin. */
  private static final String SUMMARIZER = "org.apache.spark.ml.stat.Summarizer$";

  private static final List<String> MARKS = List.of("$$Lambda", "$$anonfun$");

  /** Holds nothing that refers to a class, so that class loaders can go. */
  private static final ClassValue<Boolean> IS_ALLOWED =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return ALLOWED.contains(ownerOf(type.getName()));
        }
      };

  private Owners() {}

  /** Whether an allowed owner made {@code seqOp}, which may be null. */
  public static boolean of(Object seqOp) {
    return seqOp != null && IS_ALLOWED.get(seqOp.getClass());
  }

  /** Whether spark.ml's summarizer made {@code seqOp}, after whose sum an optimizer begins. */
  static boolean isSummarizer(Object seqOp) {
    return seqOp != null && SUMMARIZER.equals(ownerOf(seqOp.getClass().getName()));
  }

  /** The simple name of the class that made {@code seqOp}. */
  static String nameOf(Object seqOp) {
    String owner = ownerOf(seqOp.getClass().getName());
    return owner.substring(owner.lastIndexOf('.') + 1);
  }

  /** The name before the first mark; empty without one, since a class of its own has no owner. */
  static String ownerOf(String closure) {
    int end = MARKS.stream().mapToInt(closure::indexOf).filter(at -> at >= 0).min().orElse(0);
    return closure.substring(0, end);
  }
}
