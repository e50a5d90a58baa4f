package io.sparkata.cache;

import io.sparkata.cache.PartitionPlan.Plan;
import io.sparkata.report.ReportText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What moved partitions have saved, or would save. Of each stage the difference of two sums by what
 * executors took in that very stage: with the partitions where they are, and where they were at
 * first, or would be. One thread.
 */
final class CacheGains {
  private static final double LEAST_SECONDS = 1;

  private final boolean isBalancing;
  private final Map<Integer, Map<Integer, String>> first = new HashMap<>(); // by oldest RDD
  private int stages;
  private double seconds;
  private double saved;

  /**
   * @param isBalancing whether partitions move
   */
  CacheGains(boolean isBalancing) {
    this.isBalancing = isBalancing;
  }

  /**
   * Adds a stage.
   *
   * @param rdds that it reads, the oldest first; others are computed where its partitions are
   * @param took its seconds
   * @param plan empty if none is worth it
   */
  void add(List<Integer> rdds, double took, StageLoad load, Optional<Plan> plan) {
    stages++;
    seconds += took;
    if (isBalancing) {
      Map<Integer, String> before = first.computeIfAbsent(rdds.get(0), unused -> new HashMap<>());
      load.partitions().forEach(one -> before.putIfAbsent(one.number(), one.executor()));
      saved += load.seconds(load.asBefore(before)) - load.seconds(load.at());
    } else {
      plan.ifPresent(better -> saved += load.seconds(load.at()) - load.seconds(load.after(better)));
    }
  }

  /** Forgets where an RDD's partitions were. */
  void forget(int rdd) {
    first.remove(rdd);
  }

  /**
   * A line of the report; empty if there is nothing to say.
   *
   * @param moves what was moved, for those who know the words
   */
  Optional<String> line(String moves) {
    if (stages == 0) {
      return Optional.empty();
    }
    boolean isGain = saved >= LEAST_SECONDS;
    String gain = isGain ? ReportText.seconds(saved) + " s" : "nothing certain";
    String advice = isGain ? ". Set spark.ata.cache=balance" : "";
    return Optional.of(
        "Spark ATA: "
            + stages
            + " stages over cached partitions took "
            + ReportText.seconds(seconds)
            + " s in all; "
            + (isBalancing
                ? "moved partitions saved " + gain + " (" + moves + ")"
                : "balanced ones would have saved " + gain + advice));
  }
}
