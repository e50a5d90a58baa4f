package io.sparkata.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The stages that have read the same RDDs. One thread. */
final class Reads {
  private final OfOldest ofOldest;
  private final Pace pace;
  private List<CachedPartition> partitions = List.of();
  private int stages;

  /** The stages that have read the oldest of these RDDs, with others or alone. */
  static final class OfOldest {
    /** So many, the newest that count, must each be shorter by a plan; fewer if there are not. */
    private static final int AGREEING = 3;

    private final LightStages light = new LightStages();
    private List<Measured> counted = List.of();
    private List<Measured> lately = List.of();
    private boolean isLight;
    private int stages;

    private void add(Measured stage, boolean isCold) {
      stages++;
      if (counted.isEmpty() && isCold) {
        return;
      }
      isLight = stages > 1 && !light.counts(stage.cost()); // the first computes the RDD
      List<Measured> all = new ArrayList<>(counted);
      all.add(stage);
      if (!isLight) {
        counted = all.subList(Math.max(0, all.size() - AGREEING), all.size());
      }
      lately = isLight ? all : counted;
    }
  }

  /**
   * What a stage's tasks took, by executor that ran some.
   *
   * @param perWeight of a slot: seconds for a unit of weight
   * @param fixed of a slot: seconds besides
   * @param cost of a unit of weight on an executor of speed 1
   */
  record Measured(Map<String, Double> perWeight, Map<String, Double> fixed, double cost) {}

  Reads(OfOldest ofOldest) {
    this.ofOldest = ofOldest;
    this.pace = new Pace(/* isCold= */ ofOldest.stages == 0);
  }

  /**
   * Adds a stage.
   *
   * @param isCold whether some executor's JVM was cold: if none before was added, it teaches
   *     nothing
   */
  void add(Measured stage, boolean isCold) {
    ofOldest.add(stage, isCold);
    if (!isLight()) {
      stages++;
    }
  }

  /** Of the queries where their partitions are. */
  Pace pace() {
    return pace;
  }

  /** Receives where they are. */
  void found(List<CachedPartition> now) {
    partitions = now;
  }

  /** Where they were at the last query; none before. */
  List<CachedPartition> partitions() {
    return partitions;
  }

  /** How many of them count. */
  int stages() {
    return stages;
  }

  /** Whether so many have read the oldest of the RDDs, with others or alone. */
  boolean isRead(int stages) {
    return ofOldest.stages >= stages;
  }

  /** Whether these were enough for a plan, and some of them teach. */
  boolean canBePlanned() {
    return isRead(StageLessons.READS) && !ofOldest.lately.isEmpty();
  }

  /** Whether the newest of these does not count ({@link LightStages}). */
  boolean isLight() {
    return ofOldest.isLight;
  }

  /** The last few of these that count, and the newest at the end. */
  List<Measured> lately() {
    return ofOldest.lately;
  }
}
