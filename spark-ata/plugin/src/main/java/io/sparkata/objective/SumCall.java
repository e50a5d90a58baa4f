package io.sparkata.objective;

import io.sparkata.spark.SparkJobs;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import scala.Function2;
import scala.reflect.ClassTag;

/**
 * One call of {@code RDD.treeAggregate}: the whole sum as Spark means it.
 *
 * @param zero the sum of nothing
 * @param add adds an element to a sum
 * @param merge adds up two sums
 * @param depth of the tree
 * @param endsOnExecutor whether an executor adds up the last sums
 * @param tag of the sum
 */
record SumCall(
    Object zero,
    Function2<Object, Object, Object> add,
    Function2<Object, Object, Object> merge,
    int depth,
    boolean endsOnExecutor,
    ClassTag<Object> tag) {

  /** The six arguments of the method, in its order. */
  @SuppressWarnings("unchecked") // the method's own signature
  static SumCall of(Object[] arguments) {
    return new SumCall(
        arguments[0],
        (Function2<Object, Object, Object>) arguments[1],
        (Function2<Object, Object, Object>) arguments[2],
        (Integer) arguments[3],
        (Boolean) arguments[4],
        (ClassTag<Object>) arguments[5]);
  }

  /** The same sum, ready to be sent to executors. */
  FoldSum fold(SparkContext context, int size) {
    return new FoldSum(zero, SparkJobs.clean(context, add), SparkJobs.clean(context, merge), size);
  }

  /** The sum by Spark's own method. */
  Object bySpark(RDD<Object> data) {
    return data.treeAggregate(zero, add, merge, depth, endsOnExecutor, tag);
  }

  /** The class of the optimizer's function, or of its aggregator, for the memory of speeds. */
  String kind() {
    String aggregator = zero == null ? "" : zero.getClass().getSimpleName();
    return aggregator.endsWith("Aggregator") ? aggregator : Owners.nameOf(add);
  }
}
