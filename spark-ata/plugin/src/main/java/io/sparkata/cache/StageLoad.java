package io.sparkata.cache;

import io.sparkata.cache.PartitionPlan.Plan;
import io.sparkata.cluster.Executor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The partitions that a stage has read, and what executors take for them.
 *
 * @param ids of the live executors, by position
 * @param weights of the partitions
 * @param at the position of the executor that holds each partition
 * @param mayBeEmpty whether the executor, by position, is known so well that it may have none
 * @param usual medians of some stages
 * @param now of this stage
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StageLoad(
    List<String> ids,
    List<CachedPartition> partitions,
    double[] weights,
    int[] at,
    boolean[] mayBeEmpty,
    StageCosts usual,
    StageCosts now) {

  /**
   * @param measured of a slot, by executor that ran tasks of the stage: seconds per weight
   * @param fixed the same: seconds besides
   */
  static StageLoad of(
      CachedStage stage,
      List<CachedPartition> partitions,
      List<Executor> executors,
      StageSpeeds speeds,
      Map<String, Double> measured,
      Map<String, Double> fixed) {
    List<String> ids = executors.stream().map(Executor::id).toList();
    int n = ids.size();
    boolean[] mayBeEmpty = new boolean[n];
    StageCosts usual = new StageCosts(new double[n], new double[n]);
    StageCosts now = new StageCosts(new double[n], new double[n]);
    for (int e = 0; e < n; e++) {
      String id = ids.get(e);
      mayBeEmpty[e] = speeds.isWarm(id);
      int slots = executors.get(e).slots();
      double ofSlot = speeds.cost() * speeds.slowness(id);
      usual.perWeight()[e] = ofSlot / slots;
      now.perWeight()[e] = measured.getOrDefault(id, ofSlot) / slots;
      usual.fixed()[e] = speeds.fixedSeconds(id) / slots;
      now.fixed()[e] = fixed.getOrDefault(id, speeds.fixedSeconds(id)) / slots;
    }
    return new StageLoad(
        ids,
        partitions,
        partitions.stream().mapToDouble(one -> stage.isByBytes() ? one.bytes() : 1).toArray(),
        partitions.stream().mapToInt(one -> ids.indexOf(one.executor())).toArray(),
        mayBeEmpty,
        usual,
        now);
  }

  /** Where the partitions should be, by the usual seconds. */
  Plan plan() {
    return PartitionPlan.of(weights, at, usual, mayBeEmpty);
  }

  /** Whether a plan saves enough by the usual seconds, and by this stage's. */
  boolean isWorthIt(Plan plan) {
    return plan.isWorthIt(weights, at, now);
  }

  /** Seconds of this stage with the partitions at these executors. */
  double seconds(int[] places) {
    return PartitionPlan.longest(weights, places, now);
  }

  /** Partitions that an executor holds. */
  long held(int executor) {
    return Arrays.stream(at).filter(place -> place == executor).count();
  }

  /** The executor that ends last, by the usual seconds. */
  int last() {
    return PartitionPlan.last(weights, at, usual);
  }

  /** The places of the partitions once they have moved. */
  int[] after(Plan plan) {
    int[] places = at.clone();
    plan.moves().forEach(move -> places[move.partition()] = move.to());
    return places;
  }

  /**
   * Their places as they were.
   *
   * @param first executor by partition number; one that is gone, or not in it, is where it is
   */
  int[] asBefore(Map<Integer, String> first) {
    int[] places = at.clone();
    Arrays.setAll(
        places,
        p -> {
          int then = ids.indexOf(first.get(partitions.get(p).number()));
          return then < 0 ? at[p] : then;
        });
    return places;
  }
}
