package io.sparkata.cache;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/**
 * How long a slot that is free lets a task over cached data wait for the executor that has its
 * partition. Spark's 3 s are too short for long stages whose partitions have moved: a slow executor
 * has few or none of them, takes one of another executor, and all wait for it. So it is twice as
 * long as the longest of the last stages that count. What the user has set stays. One thread.
 */
final class LocalityWait {
  /** Spark reads it when a stage starts. */
  static final String KEY = "spark.locality.wait.process";

  private static final String OF_ALL_LEVELS = "spark.locality.wait";
  private static final double SPARKS_SECONDS = 3;
  private static final double MOST_SECONDS = 30; // a task may wait for an executor that hangs
  private static final double MARGIN = 2; // stages differ

  private final SparkConf conf;
  private final boolean isUsers;
  private final Map<Integer, Double> seconds = new HashMap<>(); // by RDD

  LocalityWait(SparkContext context) {
    this.conf = context.conf();
    this.isUsers = conf.contains(KEY) || conf.contains(OF_ALL_LEVELS);
  }

  /**
   * The partitions of an RDD are where they should be, some of them by moves.
   *
   * @param stageSeconds what a stage takes that reads it
   */
  void settled(int rdd, double stageSeconds) {
    seconds.put(rdd, Math.min(MOST_SECONDS, MARGIN * stageSeconds));
    set();
  }

  /** They should move, in which idle executors may help, or the RDD is no longer persisted. */
  void forget(int rdd) {
    if (seconds.remove(rdd) != null) {
      set();
    }
  }

  private void set() {
    if (isUsers) {
      return;
    }
    double longest = seconds.values().stream().mapToDouble(one -> one).max().orElse(0);
    if (longest > SPARKS_SECONDS) {
      conf.set(KEY, Math.round(1000 * longest) + "ms");
    } else {
      conf.remove(KEY);
    }
  }

  /** As Spark has it, for the last time. */
  void end() {
    seconds.clear();
    set();
  }
}
