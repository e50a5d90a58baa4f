package io.sparkata.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The stages that have read the same RDDs. One thread. */
final class Reads {
  /** So many stages, the newest ones, must each be shorter by a plan; fewer if there are not. */
  private static final int AGREEING = 3;

  private final Pace pace = new Pace();
  private final List<Measured> lately = new ArrayList<>();
  private List<CachedPartition> partitions = List.of();
  private int stages;

  /**
   * What a stage's tasks took, by executor that ran some.
   *
   * @param perWeight of a slot: seconds for a unit of weight
   * @param fixed of a slot: seconds besides
   * @param cost of a unit of weight on an executor of speed 1
   */
  record Measured(Map<String, Double> perWeight, Map<String, Double> fixed, double cost) {}

  /** Adds a stage. The first one teaches nothing, since it may have met cold JVMs. */
  void add(Measured stage) {
    if (stages++ == 0) {
      return;
    }
    lately.add(stage);
    if (lately.size() > AGREEING) {
      lately.remove(0);
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

  /** Where they were at the last query. */
  List<CachedPartition> partitions() {
    return partitions;
  }

  /** How many there were. */
  int stages() {
    return stages;
  }

  /** The last few, the newest at the end; none of a first stage. */
  List<Measured> lately() {
    return lately;
  }
}
