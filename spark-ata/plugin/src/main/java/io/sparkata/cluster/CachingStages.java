package io.sparkata.cluster;

import io.sparkata.spark.Scala;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
    return cached(stage).findFirst().filter(rdd -> isFirst(stage, rdd)).isPresent();
  }

  /** The RDDs that it may find cached, since earlier stages have had them; the last one first. */
  List<Integer> found(StageInfo stage) {
    return cached(stage).filter(rdd -> !isFirst(stage, rdd)).map(RDDInfo::id).toList();
  }

  private boolean isFirst(StageInfo stage, RDDInfo rdd) {
    return firsts.getOrDefault(rdd.id(), stage.stageId()) == stage.stageId();
  }

  private static Stream<RDDInfo> cached(StageInfo stage) {
    return Scala.<RDDInfo>stream(stage.rddInfos())
        .filter(rdd -> rdd.storageLevel().isValid() && rdd.numPartitions() == stage.numTasks())
        .sorted(Comparator.comparingInt(RDDInfo::id).reversed());
  }
}
