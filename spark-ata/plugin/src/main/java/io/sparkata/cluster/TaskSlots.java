package io.sparkata.cluster;

import org.apache.spark.SparkConf;
import scala.Tuple2;

/** How many tasks an executor runs at once, as Spark's scheduler counts. */
record TaskSlots(int cpusPerTask, int byResources) {
  private static final String TASK = "spark.task.resource.";
  private static final String EXECUTOR = "spark.executor.resource.";
  private static final String AMOUNT = ".amount";

  static TaskSlots of(SparkConf conf) {
    int least = Integer.MAX_VALUE;
    for (Tuple2<String, String> setting : conf.getAllWithPrefix(TASK)) {
      if (setting._1().endsWith(AMOUNT)) {
        double perTask = Double.parseDouble(setting._2());
        long perExecutor = conf.getLong(EXECUTOR + setting._1(), 0);
        if (perTask > 0 && perExecutor > 0) {
          least = (int) Math.min(least, tasks(perExecutor, perTask));
        }
      }
    }
    return new TaskSlots(conf.getInt("spark.task.cpus", 1), least);
  }

  /** A fraction is a share of one address: no task uses two. */
  private static long tasks(long perExecutor, double perTask) {
    return perTask <= 1
        ? perExecutor * (long) Math.floor(1 / perTask)
        : (long) Math.floor(perExecutor / perTask);
  }

  /** At least one slot. */
  int of(int cores) {
    return Math.max(1, Math.min(cores / cpusPerTask, byResources));
  }
}
