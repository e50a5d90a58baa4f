package io.sparkata.objective;

import io.sparkata.spark.SparkBlocks;
import org.apache.spark.SparkContext;

/**
 * Makes evaluations use up as many RDD ids as Spark's {@code treeAggregate}. Spark draws random
 * numbers by RDD ids, for example the bounds of a later sort: with other ids a later result may
 * differ.
 */
final class RddIds {
  private static final int PER_LEVEL = 3; // of mapPartitionsWithIndex, foldByKey and values

  private int ahead;

  /** The ids that {@code treeAggregate} uses up: 1 if its tree has no levels. */
  static int ofTree(int partitions, int depth, boolean endsOnExecutor) {
    int scale = Math.max((int) Math.ceil(Math.pow(partitions, 1.0 / depth)), 2);
    int levels = 0;
    int left = partitions;
    for (; left > scale + Math.ceil((double) left / scale); left /= scale) {
      levels++;
    }
    return 1 + PER_LEVEL * (levels + (endsOnExecutor && left > 1 ? 1 : 0));
  }

  /**
   * An evaluation has ended.
   *
   * @param used ids that it used up
   * @param bySpark those that Spark's would have used up
   */
  void used(SparkContext context, int used, int bySpark) {
    ahead += used - bySpark;
    for (; ahead < 0; ahead++) {
      SparkBlocks.newRddId(context);
    }
  }
}
