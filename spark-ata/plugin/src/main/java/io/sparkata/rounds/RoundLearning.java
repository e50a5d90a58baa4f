package io.sparkata.rounds;

import io.sparkata.allocation.Allocator;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.cluster.Observation;
import io.sparkata.placement.CostModel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a training learns from its rounds: the policy's times, the executors' fetch rates, and the
 * speeds to remember. Driver only, one thread.
 */
final class RoundLearning {
  private final Allocator allocator;
  private final SpeedMemory memory;
  private final FetchRates fetchRates = new FetchRates();
  private final SpeedErrors errors = new SpeedErrors();
  private final double fraction;
  private final Map<String, Double> packing;

  /**
   * @param fraction expected share of the rows in a round
   * @param packing nanoseconds of a row on one slot, by executor: their ratios are those of the
   *     speeds as far as nothing else is known
   */
  RoundLearning(
      Allocator allocator, SpeedMemory memory, double fraction, Map<String, Double> packing) {
    this.allocator = allocator;
    this.memory = memory;
    this.fraction = fraction;
    this.packing = packing;
  }

  /**
   * Learns from tasks of earlier rounds, except those of contended executors, whose times say
   * nothing about their speed: one with a tenth of a core looked three times as slow in such a
   * round.
   */
  void observe(List<Observation> observations, Members live) {
    Map<String, double[]> rowsAndNanos = new HashMap<>();
    for (Observation seen : observations) {
      if (!seen.isContended()) {
        observe(seen, live);
        if (seen.isCompleted()) {
          double[] sums = rowsAndNanos.computeIfAbsent(seen.executorId(), id -> new double[2]);
          sums[0] += seen.rows();
          sums[1] += seen.nanos();
        }
      }
    }
    Map<String, Double> nanosPerRow = new HashMap<>();
    rowsAndNanos.forEach((executor, sums) -> nanosPerRow.put(executor, sums[1] / sums[0]));
    errors.observe(nanosPerRow);
  }

  private void observe(Observation seen, Members live) {
    String id = seen.executorId();
    double nanos = seen.nanos() / seen.slots();
    if (!seen.isCompleted()) {
      allocator.observeAtLeast(id, seen.rows(), nanos);
      return;
    }
    allocator.observe(id, seen.rows(), nanos);
    if (!Double.isNaN(seen.overheadNanos())) {
      allocator.observeOverhead(id, seen.overheadNanos());
    }
    remember(seen, live);
  }

  private void remember(Observation seen, Members live) {
    int position = live.position(seen.executorId());
    if (position >= 0) {
      memory.observe(live.get(position), seen.rows(), seen.nanos());
    }
  }

  /** Learns from rows that were summed while they were packed; one report per executor. */
  void learnPacking(List<TaskReport> reports, Members live) {
    Map<String, Double> nanosPerRow = new HashMap<>();
    for (TaskReport report : reports) {
      int position = live.position(report.executorId);
      if (position >= 0 && report.sampledRows > 0 && report.kernelNanos > 0) {
        Executor executor = live.get(position);
        double rows = (double) report.sampledRows;
        double nanos = (double) report.kernelNanos;
        allocator.observe(executor.id(), rows, nanos / executor.slots());
        memory.observe(executor, rows, nanos);
        nanosPerRow.put(executor.id(), nanos / rows);
      }
    }
    errors.observe(nanosPerRow);
  }

  /** Learns from what tasks fetched. */
  void learnFetches(List<TaskReport> reports) {
    fetchRates.learn(reports);
  }

  /**
   * Whether speeds of these executors are known by packing only. One that has packed nothing is
   * slow, as its tasks were done elsewhere sooner, or would have to fetch its rows.
   */
  boolean isByPacking(Members members) {
    return allocator.followsTimes()
        && members.ids().stream().anyMatch(packing::containsKey)
        && members.ids().stream().allMatch(id -> Double.isNaN(allocator.nanosPerRow(id)));
  }

  /** Executors of unknown speed, if that of another is known and counts follow times. */
  Set<String> unknown(Members members) {
    Set<String> unknown =
        members.ids().stream()
            .filter(id -> Double.isNaN(allocator.nanosPerRow(id)))
            .collect(Collectors.toCollection(HashSet::new));
    boolean isAnyKnown = unknown.size() < members.size();
    return allocator.followsTimes() && isAnyKnown ? unknown : new HashSet<>();
  }

  /** The costs of these executors, as far as they are known now. */
  CostModel costs(Members members) {
    int n = members.size();
    double[] secondsPerRow = new double[n];
    double[] secondsPerRound = new double[n];
    double[] nanosPerRow = new double[n];
    double[] bytesPerSecond = new double[n];
    boolean isByPacking = isByPacking(members);
    for (int i = 0; i < n; i++) {
      Executor executor = members.get(i);
      double nanos =
          isByPacking
              ? packing.getOrDefault(executor.id(), Double.NaN) / executor.slots()
              : allocator.nanosPerRow(executor.id());
      secondsPerRow[i] = nanos * fraction / 1e9;
      secondsPerRound[i] = allocator.overheadNanos(executor.id()) / 1e9;
      nanosPerRow[i] = nanos * executor.slots();
      bytesPerSecond[i] = fetchRates.bytesPerSecond(executor.id());
    }
    return new CostModel(
        secondsPerRow,
        secondsPerRound,
        errors.of(members.ids(), nanosPerRow),
        bytesPerSecond,
        allocator.followsTimes());
  }

  /** Adds the last round's times, and remembers the measured speeds for later trainings. */
  void finish(List<Observation> last, Members live) {
    for (Observation seen : last) {
      if (seen.isCompleted() && !seen.isContended()) {
        remember(seen, live);
      }
    }
    memory.remember();
  }
}
