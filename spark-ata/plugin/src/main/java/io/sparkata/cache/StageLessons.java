package io.sparkata.cache;

import io.sparkata.cache.Reads.Measured;
import io.sparkata.cluster.Executor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Speeds of executors and costs of stages, measured by stages that have ended. One thread. */
final class StageLessons {
  /** Stages that must have read an RDD: as many more are expected. */
  static final int READS = 3;

  private final StageSpeeds speeds = new StageSpeeds();
  private final Map<List<Integer>, Reads> reads = new HashMap<>(); // by RDDs

  /**
   * Adds a stage.
   *
   * @param executors the live ones
   * @return what has read its RDDs; empty if nothing can be planned by that
   */
  Optional<Reads> add(CachedStage stage, List<Executor> executors) {
    Map<String, Integer> slots =
        executors.stream().collect(Collectors.toMap(Executor::id, Executor::slots));
    speeds.retain(slots.keySet());
    Map<String, Double> ofTasks = stage.secondsPerWeight(slots);
    if (ofTasks.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Double> measured = speeds.add(ofTasks, stage.onlyTasks());
    Map<String, Double> fixed = stage.fixedSeconds(measured, slots);
    speeds.addFixed(fixed);
    Reads read = reads.computeIfAbsent(stage.rdds(), unused -> new Reads());
    read.add(new Measured(measured, fixed, speeds.cost()));
    return Optional.of(read).filter(unused -> executors.size() > 1 && !speeds.isEmpty());
  }

  StageSpeeds speeds() {
    return speeds;
  }

  /** Forgets an RDD that is no longer persisted. */
  void forget(int rdd) {
    reads.keySet().removeIf(rdds -> rdds.contains(rdd));
  }
}
