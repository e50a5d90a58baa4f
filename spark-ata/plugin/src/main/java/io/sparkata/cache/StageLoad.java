package io.sparkata.cache;

import io.sparkata.cache.PartitionPlan.Plan;
import io.sparkata.cache.Reads.Measured;
import io.sparkata.cluster.Executor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The partitions that a stage has read, and what executors take for them.
 *
 * @param executors the live ones, by position
 * @param weights of the partitions; their mean is 1, whatever else a stage reads
 * @param at the position of the executor that holds each partition
 * @param mayBeEmpty whether the executor, by position, is known so well that it may have none
 * @param usual medians of some stages
 * @param lately of the last few stages that have read the oldest RDD and count, and of this one,
 *     the last
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StageLoad(
    List<Executor> executors,
    List<CachedPartition> partitions,
    double[] weights,
    int[] at,
    boolean[] mayBeEmpty,
    StageCosts usual,
    List<StageCosts> lately) {

  /**
   * @param lately of the last few stages that have read the oldest RDD and count, and of this one,
   *     the last
   */
  static StageLoad of(
      CachedStage stage,
      List<CachedPartition> partitions,
      List<Executor> executors,
      StageSpeeds speeds,
      List<Measured> lately) {
    List<String> ids = executors.stream().map(Executor::id).toList();
    double mean = partitions.stream().mapToDouble(CachedPartition::bytes).average().orElse(1);
    int n = ids.size();
    boolean[] mayBeEmpty = new boolean[n];
    for (int e = 0; e < n; e++) {
      mayBeEmpty[e] = speeds.isWarm(ids.get(e));
    }
    return new StageLoad(
        executors,
        partitions,
        partitions.stream()
            .mapToDouble(p -> stage.isByBytes() ? p.bytes() / Math.max(1, mean) : 1)
            .toArray(),
        partitions.stream().mapToInt(one -> ids.indexOf(one.executor())).toArray(),
        mayBeEmpty,
        costs(executors, speeds, new Measured(Map.of(), Map.of(), speeds.cost())),
        lately.stream().map(one -> costs(executors, speeds, one)).toList());
  }

  /** Of an executor that was not measured the usual ones. */
  private static StageCosts costs(List<Executor> executors, StageSpeeds speeds, Measured measured) {
    int n = executors.size();
    StageCosts costs = new StageCosts(new double[n], new double[n], new int[n]);
    for (int e = 0; e < n; e++) {
      String id = executors.get(e).id();
      double usual = measured.cost() * speeds.slowness(id);
      costs.perWeight()[e] = measured.perWeight().getOrDefault(id, usual);
      costs.slots()[e] = executors.get(e).slots();
      costs.fixed()[e] = measured.fixed().getOrDefault(id, speeds.fixedSeconds(id));
    }
    return costs;
  }

  /** Of the executors, by position. */
  List<String> ids() {
    return executors.stream().map(Executor::id).toList();
  }

  /** Where the partitions should be, by the usual seconds. */
  Plan plan() {
    boolean[] mayMove = new boolean[weights.length];
    for (int p = 0; p < weights.length; p++) {
      mayMove[p] = mayMove(p);
    }
    return PartitionPlan.of(weights, mayMove, at, usual, mayBeEmpty);
  }

  /** Whether a partition, by position, may move. */
  boolean mayMove(int partition) {
    return partitions.get(partition).isMovable();
  }

  /** Whether a plan saves enough by the usual seconds, and by those of each of the last stages. */
  boolean isWorthIt(Plan plan) {
    return plan.isWorthIt(weights, at, lately);
  }

  /** Seconds of this stage with the partitions at these executors. */
  double seconds(int[] places) {
    return PartitionPlan.longest(weights, places, lately.get(lately.size() - 1));
  }

  /** What the longest of the last stages would take as the partitions are. */
  double longestSeconds() {
    return lately.stream()
        .mapToDouble(of -> PartitionPlan.longest(weights, at, of))
        .max()
        .orElse(0);
  }

  /** Of the usual seconds with the partitions at these executors those that dividing would save. */
  double indivisibleSeconds(int[] places) {
    double sum = Arrays.stream(weights).sum();
    double rate = 0;
    for (int e = 0; e < usual.executors(); e++) {
      double ofAllSlots = usual.slots()[e] / usual.perWeight()[e];
      sum += usual.fixed()[e] * ofAllSlots;
      rate += ofAllSlots;
    }
    return Math.max(0, PartitionPlan.longest(weights, places, usual) - sum / rate);
  }

  /** Tasks that all executors run at once. */
  int slots() {
    return executors.stream().mapToInt(Executor::slots).sum();
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
    List<String> ids = ids();
    int[] places = at.clone();
    Arrays.setAll(
        places,
        p -> {
          int then = ids.indexOf(first.get(partitions.get(p).number()));
          return then < 0 ? at[p] : then;
        });
    return places;
  }

  /** This load with the partitions at these executors. */
  StageLoad at(Map<Integer, String> places) {
    return new StageLoad(
        executors, partitions, weights, asBefore(places), mayBeEmpty, usual, lately);
  }
}
