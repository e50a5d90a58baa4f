package io.sparkata.cluster;

import io.sparkata.spark.Scala;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.RDDInfo;

/**
 * Which stages compute an RDD that Spark then caches: the first whole ones that have it. Where they
 * compute a partition decides where it stays. Not thread-safe.
 */
final class CachingStages {
  private final Map<Integer, Integer> firsts = new HashMap<>(); // stages, by RDD

  void submitted(StageInfo stage) {
    all(stage).forEach(rdd -> firsts.putIfAbsent(rdd, stage.stageId()));
  }

  void unpersisted(int rdd) {
    firsts.remove(rdd);
  }

  /** Whether this stage is the first with the last of the RDDs that it is to cache. */
  boolean isCaching(StageInfo stage) {
    return all(stage).stream().limit(1).anyMatch(rdd -> isFirst(stage, rdd));
  }

  /** The RDDs that it may find cached, since earlier stages have had them; the last one first. */
  List<Integer> found(StageInfo stage) {
    return all(stage).stream().filter(rdd -> !isFirst(stage, rdd)).toList();
  }

  /** A stage that is tried again may find what its first attempt has cached. */
  private boolean isFirst(StageInfo stage, int rdd) {
    return stage.attemptNumber() == 0 && firsts.getOrDefault(rdd, -1) == stage.stageId();
  }

  /** All that Spark is to cache and of which it computes a partition by each task. */
  static List<Integer> all(StageInfo stage) {
    return Scala.<RDDInfo>stream(stage.rddInfos())
        .filter(rdd -> rdd.storageLevel().isValid() && rdd.numPartitions() == stage.numTasks())
        .map(RDDInfo::id)
        .sorted(Comparator.reverseOrder())
        .toList();
  }
}
