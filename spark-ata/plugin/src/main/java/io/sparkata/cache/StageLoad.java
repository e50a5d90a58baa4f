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
 * @param usual seconds per weight of each executor with all of its slots, medians of some stages
 * @param now the same in this stage
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StageLoad(
    List<String> ids,
    List<CachedPartition> partitions,
    double[] weights,
    int[] at,
    double[] usual,
    double[] now) {

  /**
   * @param measured of a slot, by executor: those that ran tasks of the stage
   */
  static StageLoad of(
      CachedStage stage,
      List<CachedPartition> partitions,
      List<Executor> executors,
      StageSpeeds speeds,
      Map<String, Double> measured) {
    List<String> ids = executors.stream().map(Executor::id).toList();
    double[] usual = new double[ids.size()];
    double[] now = new double[ids.size()];
    for (int e = 0; e < now.length; e++) {
      Executor executor = executors.get(e);
      double ofSlot = speeds.cost() * speeds.slowness(executor.id());
      usual[e] = ofSlot / executor.slots();
      now[e] = measured.getOrDefault(executor.id(), ofSlot) / executor.slots();
    }
    return new StageLoad(
        ids,
        partitions,
        partitions.stream().mapToDouble(one -> stage.isByBytes() ? one.bytes() : 1).toArray(),
        partitions.stream().mapToInt(one -> ids.indexOf(one.executor())).toArray(),
        usual,
        now);
  }

  /** Where the partitions should be, by the usual seconds. */
  Plan plan() {
    return PartitionPlan.of(weights, at, usual);
  }

  /** Whether a plan saves enough by the usual seconds, and by this stage's. */
  boolean isWorthIt(Plan plan) {
    return plan.isWorthIt(weights, at, now);
  }

  /** Seconds of this stage with the partitions at these executors. */
  double seconds(int[] places) {
    return PartitionPlan.longest(weights, places, now);
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
