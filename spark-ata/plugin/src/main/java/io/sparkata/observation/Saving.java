package io.sparkata.observation;

import io.sparkata.observation.ObservedRound.Task;
import io.sparkata.report.SlowestExecutor;
import io.sparkata.report.SlowestExecutor.Even;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What allocation would have made of MLlib's rounds.
 *
 * <p>An executor's time per row on one slot is the median over the rounds. If all executors finish
 * together, the rows of a round take: rows / sum of the executors' speeds. A round in which all
 * tasks took longer than these medians, as the first ones do, would have taken longer by the same
 * factor. What a round takes besides its slowest executor stays. The estimate keeps MLlib's own
 * time per row: faster kernels and the move of data are not in it.
 *
 * @param rounds that were understood; 0 if none was, then nothing was saved
 * @param seconds of these rounds as MLlib ran them, summed
 * @param allocatedSeconds the same with allocation, never more
 * @param speeds rows per second of each executor over its slots, by id; where Spark does not count
 *     rows, each task's are taken as one
 * @param slowest the executor that an equal share of a round takes longest
 */
record Saving(
    int rounds,
    double seconds,
    double allocatedSeconds,
    Map<String, Double> speeds,
    Optional<SlowestExecutor> slowest) {

  /** What an executor did in one round. */
  private static final class Work {
    private double seconds;
    private double rows;
    private double longestSeconds;
  }

  /**
   * Estimates the saving.
   *
   * @param slots tasks that each executor runs at once; 1 for those that are not named
   */
  static Saving of(List<ObservedRound> rounds, Map<String, Integer> slots) {
    List<ObservedRound> used = rounds.stream().filter(round -> !round.tasks().isEmpty()).toList();
    boolean isCounted =
        used.stream().flatMap(round -> round.tasks().stream()).anyMatch(task -> task.rows() > 0);
    List<Map<String, Work>> work = used.stream().map(round -> work(round, isCounted)).toList();
    Map<String, Double> secondsPerRow = secondsPerRow(work);
    Map<String, Double> speeds = new TreeMap<>();
    secondsPerRow.forEach(
        (executor, seconds) -> speeds.put(executor, slotsOf(executor, slots) / seconds));
    double speed = speeds.values().stream().mapToDouble(Double::doubleValue).sum();
    double seconds = 0;
    double allocatedSeconds = 0;
    double rows = 0;
    for (int round = 0; round < used.size(); round++) {
      double slowest = 0;
      double roundRows = 0;
      double taskSeconds = 0;
      double usualSeconds = 0;
      for (Map.Entry<String, Work> entry : work.get(round).entrySet()) {
        Work done = entry.getValue();
        double parallel = done.seconds / slotsOf(entry.getKey(), slots);
        slowest = Math.max(slowest, Math.max(done.longestSeconds, parallel));
        roundRows += done.rows;
        if (secondsPerRow.containsKey(entry.getKey())) {
          taskSeconds += done.seconds;
          usualSeconds += done.rows * secondsPerRow.get(entry.getKey());
        }
      }
      double rest = Math.max(0, used.get(round).seconds() - slowest);
      double factor = usualSeconds > 0 ? taskSeconds / usualSeconds : 1;
      double allocated = speed > 0 ? rest + factor * roundRows / speed : Double.POSITIVE_INFINITY;
      seconds += used.get(round).seconds();
      allocatedSeconds += Math.min(allocated, used.get(round).seconds());
      rows += roundRows;
    }
    return new Saving(
        used.size(),
        seconds,
        allocatedSeconds,
        speeds,
        slowest(used, speeds, rows / Math.max(1, used.size())));
  }

  private static Map<String, Work> work(ObservedRound round, boolean isCounted) {
    Map<String, Work> byExecutor = new HashMap<>();
    for (Task task : round.tasks()) {
      Work work = byExecutor.computeIfAbsent(task.executor(), unused -> new Work());
      work.seconds += task.seconds();
      work.rows += isCounted ? task.rows() : 1;
      work.longestSeconds = Math.max(work.longestSeconds, task.seconds());
    }
    return byExecutor;
  }

  /** On one slot, the median over the rounds. */
  private static Map<String, Double> secondsPerRow(List<Map<String, Work>> rounds) {
    Map<String, List<Double>> all = new HashMap<>();
    for (Map<String, Work> round : rounds) {
      round.forEach(
          (executor, work) -> {
            if (work.rows > 0) {
              all.computeIfAbsent(executor, unused -> new ArrayList<>())
                  .add(work.seconds / work.rows);
            }
          });
    }
    Map<String, Double> medians = new HashMap<>();
    all.forEach(
        (executor, seconds) -> {
          double median = median(seconds);
          if (median > 0) {
            medians.put(executor, median);
          }
        });
    return medians;
  }

  private static Optional<SlowestExecutor> slowest(
      List<ObservedRound> rounds, Map<String, Double> speeds, double rowsPerRound) {
    Map<String, String> hosts = new HashMap<>();
    Map<String, List<Double>> overheads = new HashMap<>();
    for (ObservedRound round : rounds) {
      for (Task task : round.tasks()) {
        hosts.put(task.executor(), task.host());
        overheads
            .computeIfAbsent(task.executor(), unused -> new ArrayList<>())
            .add(task.overheadSeconds());
      }
    }
    double evenRows = rowsPerRound / Math.max(1, speeds.size());
    List<Even> executors = new ArrayList<>();
    speeds.forEach(
        (executor, speed) ->
            executors.add(
                new Even(
                    executor,
                    hosts.get(executor),
                    evenRows / speed,
                    median(overheads.get(executor)),
                    /* fetching= */ 0)));
    return SlowestExecutor.of(executors);
  }

  private static int slotsOf(String executor, Map<String, Integer> slots) {
    return slots.getOrDefault(executor, 1);
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The share of the rounds' time that would have been saved, from 0 to 1. */
  double share() {
    return seconds > 0 ? 1 - allocatedSeconds / seconds : 0;
  }
}
