package io.sparkata.cluster;

import io.sparkata.spark.Scala;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.RDDInfo;

/**
 * Which stages compute an RDD that Spark then caches: the first ones that have it. Where they
 * compute a partition decides where it stays. One thread.
 */
final class CachingStages {
  private final Map<Integer, Integer> firsts = new HashMap<>(); // stages, by RDD

  void submitted(StageInfo stage) {
    Scala.<RDDInfo>stream(stage.rddInfos())
        .filter(rdd -> rdd.storageLevel().isValid())
        .forEach(rdd -> firsts.putIfAbsent(rdd.id(), stage.stageId()));
  }

  void unpersisted(int rdd) {
    firsts.remove(rdd);
  }

  /** Whether this stage is the first with the last of the RDDs that it is to cache. */
  boolean isCaching(StageInfo stage) {
    return Scala.<RDDInfo>stream(stage.rddInfos())
        .filter(rdd -> rdd.storageLevel().isValid() && rdd.numPartitions() == stage.numTasks())
        .max(Comparator.comparingInt(RDDInfo::id))
        .filter(rdd -> firsts.getOrDefault(rdd.id(), stage.stageId()) == stage.stageId())
        .isPresent();
  }
}
