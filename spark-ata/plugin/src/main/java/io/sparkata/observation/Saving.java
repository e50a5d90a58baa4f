package io.sparkata.observation;

import io.sparkata.observation.ObservedRound.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What allocation would have made of MLlib's rounds. An executor's time per row on one slot is the
 * median over the rounds; shared out so that all finish together, a round takes its rows over the
 * sum of the executors' speeds, beside what it takes now besides its slowest executor. MLlib's own
 * time per row is meant: faster kernels and the move of data are not in it.
 *
 * @param rounds that were understood; 0 if none was, then the times are NaN
 * @param seconds median time of a round as MLlib ran it
 * @param allocatedSeconds the same with allocation, never more
 * @param speeds rows per second of each executor over its slots, by id; where Spark does not count
 *     rows, each task's are taken as one
 */
record Saving(int rounds, double seconds, double allocatedSeconds, Map<String, Double> speeds) {

  /**
   * Estimates the saving.
   *
   * @param slots tasks that each executor runs at once; 1 for those that are not named
   */
  static Saving of(List<ObservedRound> rounds, Map<String, Integer> slots) {
    List<ObservedRound> used = rounds.stream().filter(round -> !round.tasks().isEmpty()).toList();
    boolean isCounted =
        used.stream().flatMap(round -> round.tasks().stream()).anyMatch(task -> task.rows() > 0);
    Map<String, List<Double>> secondsPerRow = new TreeMap<>();
    List<Double> totals = new ArrayList<>();
    List<Double> rest = new ArrayList<>();
    List<Double> allRows = new ArrayList<>();
    for (ObservedRound round : used) {
      Map<String, double[]> sums = new HashMap<>(); // seconds, rows, longest task
      for (Task task : round.tasks()) {
        double[] sum = sums.computeIfAbsent(task.executor(), unused -> new double[3]);
        sum[0] += task.seconds();
        sum[1] += isCounted ? task.rows() : 1;
        sum[2] = Math.max(sum[2], task.seconds());
      }
      double slowest = 0;
      double rows = 0;
      for (Map.Entry<String, double[]> entry : sums.entrySet()) {
        double[] sum = entry.getValue();
        slowest = Math.max(slowest, Math.max(sum[2], sum[0] / slotsOf(entry.getKey(), slots)));
        rows += sum[1];
        if (sum[1] > 0) {
          secondsPerRow
              .computeIfAbsent(entry.getKey(), unused -> new ArrayList<>())
              .add(sum[0] / sum[1]);
        }
      }
      totals.add(round.seconds());
      rest.add(Math.max(0, round.seconds() - slowest));
      allRows.add(rows);
    }
    Map<String, Double> speeds = new TreeMap<>();
    secondsPerRow.forEach(
        (executor, seconds) -> {
          double median = median(seconds);
          if (median > 0) {
            speeds.put(executor, slotsOf(executor, slots) / median);
          }
        });
    double speed = speeds.values().stream().mapToDouble(Double::doubleValue).sum();
    double seconds = median(totals);
    double allocated = Math.min(seconds, median(rest) + median(allRows) / speed);
    return new Saving(used.size(), seconds, allocated, speeds);
  }

  private static int slotsOf(String executor, Map<String, Integer> slots) {
    return slots.getOrDefault(executor, 1);
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The share of a round's time that would have been saved, from 0 to 1. */
  double share() {
    return 1 - allocatedSeconds / seconds;
  }
}
