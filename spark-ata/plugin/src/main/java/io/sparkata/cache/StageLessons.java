package io.sparkata.cache;

import io.sparkata.cache.CachedStage.NotDone;
import io.sparkata.cache.Reads.Measured;
import io.sparkata.cache.Reads.OfOldest;
import io.sparkata.cluster.Executor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.scheduler.StageInfo;

/** Speeds of executors and costs of stages, measured by stages that have ended. One thread. */
final class StageLessons {
  /** Stages that must have read the oldest RDD before partitions move. */
  static final int READS = 3;

  private final StageSpeeds speeds = new StageSpeeds();
  private final Map<List<Integer>, Reads> reads = new HashMap<>(); // by RDDs
  private final Map<Integer, OfOldest> ofOldest = new HashMap<>(); // by RDD
  private final Set<Integer> cached = new HashSet<>(); // RDDs

  /** What a stage that begins reads; empty if nothing that is cached. */
  Optional<CachedStage> begins(StageInfo stage) {
    return CachedStage.of(stage, cached);
  }

  /**
   * Adds a stage that has ended.
   *
   * @param executors the live ones
   * @return what has read its RDDs; empty if nothing can be planned by that
   */
  Optional<Reads> add(CachedStage stage, List<Executor> executors) {
    Map<String, Integer> slots =
        executors.stream().collect(Collectors.toMap(Executor::id, Executor::slots));
    cached.addAll(stage.cached());
    speeds.retain(slots.keySet());
    Map<String, Double> ofTasks = stage.secondsPerWeight(slots);
    if (ofTasks.isEmpty()) {
      return Optional.empty();
    }
    boolean isCold = !ofTasks.keySet().stream().allMatch(speeds::hasRun);
    Map<String, Double> measured = speeds.add(ofTasks, stage.onlyTasks());
    Map<String, Double> fixed = stage.fixedSeconds(measured, slots);
    speeds.addFixed(fixed);
    Map<String, NotDone> notDone = stage.notDone();
    notDone.keySet().retainAll(slots.keySet());
    speeds.addNotDone(notDone, measured, fixed);
    Reads read = reads.computeIfAbsent(stage.rdds(), this::readsOf);
    read.add(new Measured(measured, fixed, speeds.cost()), isCold);
    return Optional.of(read).filter(unused -> executors.size() > 1 && !speeds.isEmpty());
  }

  private Reads readsOf(List<Integer> rdds) {
    return new Reads(ofOldest.computeIfAbsent(rdds.get(0), unused -> new OfOldest()));
  }

  StageSpeeds speeds() {
    return speeds;
  }

  /** Forgets an RDD that is no longer persisted. */
  void forget(int rdd) {
    reads.keySet().removeIf(rdds -> rdds.contains(rdd));
    ofOldest.remove(rdd);
    cached.remove(rdd);
  }
}
