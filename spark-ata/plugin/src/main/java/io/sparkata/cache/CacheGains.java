package io.sparkata.cache;

import io.sparkata.cache.PartitionPlan.Move;
import io.sparkata.cache.PartitionPlan.Plan;
import io.sparkata.events.CachedStages;
import io.sparkata.report.ReportText;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What moved partitions have saved, or would save. Of each stage the difference of two sums by what
 * executors took in that very stage: with the partitions where they are, and where they were at
 * first, or would be. One thread.
 */
final class CacheGains {
  private static final double LEAST_SECONDS = 1;

  /** With fewer partitions for each slot there is little to balance. */
  private static final int FEW = 4;

  private static final int ENOUGH = 8;
  private static final double LEAST_PART = 0.25; // against noise

  private final Optional<String> toMove;
  private final Map<Integer, Read> reads = new HashMap<>(); // by oldest RDD
  private int stages;
  private double seconds;
  private double saved;
  private Optional<Read> coarsest = Optional.empty();

  /** What has read an RDD. */
  private static final class Read {
    private final Map<Integer, String> first = new HashMap<>(); // executor by partition
    private final Map<Integer, String> planned = new HashMap<>(); // the same, by the last plan
    private final String name;
    private int stages;
    private double seconds;
    private double saved;
    private double tooCoarse;
    private int partitions;
    private int slots;

    Read(String name) {
      this.name = name;
    }

    /** Adds what a stage took because its partitions, if they are few, are indivisible. */
    void addCoarse(StageLoad load, int[] places) {
      partitions = load.partitions().size();
      slots = load.slots();
      if (partitions < FEW * slots) {
        tooCoarse += load.indivisibleSeconds(places);
      }
    }

    /** Plans as if partitions had moved by the plans before. */
    void plan(StageLoad load) {
      StageLoad moved = load.at(planned);
      Plan better = moved.plan();
      if (moved.isWorthIt(better)) {
        for (Move move : better.moves()) {
          planned.put(load.partitions().get(move.partition()).number(), load.ids().get(move.to()));
        }
      }
    }

    boolean isTooCoarse() {
      return tooCoarse >= LEAST_SECONDS && tooCoarse >= LEAST_PART * seconds;
    }

    String advice() {
      return String.format(
          Locale.ROOT,
          ". %s has %d cached partitions for %d slots: repartition(%d), balanced, could have saved at"
              + " most %s s",
          name,
          partitions,
          slots,
          ENOUGH * slots,
          ReportText.seconds(tooCoarse));
    }
  }

  /**
   * @param toMove the setting that would let partitions move; empty if they do
   */
  CacheGains(Optional<String> toMove) {
    this.toMove = toMove;
  }

  /**
   * Adds a stage.
   *
   * @param rdd the oldest that it reads; others are computed where its partitions are
   * @param name of it
   * @param took its seconds
   * @param plan empty if none is worth it
   * @param isLight whether it does not count ({@link LightStages})
   */
  void add(
      int rdd, String name, double took, StageLoad load, Optional<Plan> plan, boolean isLight) {
    Read read = reads.computeIfAbsent(rdd, unused -> new Read(name));
    double gain = 0;
    if (toMove.isEmpty()) {
      load.partitions().forEach(one -> read.first.putIfAbsent(one.number(), one.executor()));
      gain = load.seconds(load.asBefore(read.first)) - load.seconds(load.at());
    } else {
      read.plan(load);
      gain = load.seconds(load.at()) - load.seconds(load.asBefore(read.planned));
    }
    if (!isLight) {
      read.addCoarse(load, plan.map(load::after).orElse(load.at()));
    }
    read.stages++;
    read.seconds += took;
    read.saved += gain;
    stages++;
    seconds += took;
    saved += gain;
    if (coarsest.isEmpty() || read.tooCoarse > coarsest.get().tooCoarse) {
      coarsest = Optional.of(read);
    }
  }

  /** Forgets where an RDD's partitions were. */
  void forget(int rdd) {
    reads.remove(rdd);
  }

  /**
   * What is known of the stages that have read an RDD, at least one.
   *
   * @param time in milliseconds since 1970
   * @param moved of its partitions
   */
  CachedStages event(int rdd, long time, CacheMoves.Moved moved) {
    Read read = reads.get(rdd);
    return new CachedStages(
        rdd,
        time,
        read.name,
        toMove.isEmpty(),
        read.stages,
        read.seconds,
        read.saved,
        moved.partitions(),
        moved.bytes());
  }

  /**
   * A line of the report; empty if there is nothing to say.
   *
   * @param moves what was moved, for those who know the words; empty if nothing was
   */
  Optional<String> line(Optional<String> moves) {
    boolean isGain = saved >= LEAST_SECONDS;
    Optional<String> coarse = coarsest.filter(Read::isTooCoarse).map(Read::advice);
    if (!isGain && moves.isEmpty() && coarse.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "Spark ATA: "
            + stages
            + " stages over cached partitions took "
            + ReportText.seconds(seconds)
            + " s in all; "
            + gain(isGain ? ReportText.seconds(saved) + " s" : "nothing certain", isGain, moves)
            + coarse.orElse(""));
  }

  private String gain(String gain, boolean isGain, Optional<String> moves) {
    if (toMove.isPresent()) {
      String advice = isGain ? ". Set " + toMove.get() : "";
      return "balanced ones would have saved " + gain + advice;
    }
    return moves
        .map(some -> "moved partitions saved " + gain + " (" + some + ")")
        .orElse("none was moved");
  }
}
