package io.sparkata.objective;

/** Answers routed calls of {@code RDD.treeAggregate}. */
public final class SumRoute {
  private SumRoute() {}

  /**
   * The sum of a routed call.
   *
   * @param rdd the RDD that is summed
   * @param arguments zero, seqOp, combOp, depth, finalAggregateOnExecutor and ClassTag
   * @return the sum; null if Spark's own body has to run
   */
  public static Object runRouted(Object rdd, Object[] arguments) {
    return null;
  }
}
