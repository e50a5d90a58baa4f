package io.sparkata.observation;

import io.sparkata.observation.ObservedRound.Task;
import io.sparkata.observation.ObservedRound.Work;
import io.sparkata.report.RelativeTimes;
import io.sparkata.report.SavedSeconds;
import io.sparkata.report.SlowestExecutor;
import io.sparkata.report.SlowestExecutor.Even;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What allocation would have made of MLlib's rounds.
 *
 * <p>With allocation, executors would share the rows of a round out by their speeds. Each would
 * have taken what it took and, for each row more or less, its time per row ({@link RelativeTimes}),
 * so that noise is on both sides. What a round takes besides its slowest executor may stay, as in
 * rounds as jobs, or go, as in rounds by message: the estimate is a range. It keeps MLlib's own
 * time per row: faster kernels and the move of data are not in it.
 *
 * @param rounds that were understood; 0 if none was
 * @param seconds of these rounds as MLlib ran them, summed
 * @param saved of them, with its spread; empty if it is not known
 * @param speeds rows per second of each executor over its slots, by id; where Spark does not count
 *     rows, each task's are taken as one
 * @param slowest the executor that an equal share of a round takes longest
 */
record Saving(
    int rounds,
    double seconds,
    Optional<SavedSeconds> saved,
    Map<String, Double> speeds,
    Optional<SlowestExecutor> slowest) {

  /**
   * Estimates the saving.
   *
   * @param slots tasks that each executor runs at once; 1 for those that are not named
   */
  static Saving of(List<ObservedRound> rounds, Map<String, Integer> slots) {
    List<ObservedRound> used = rounds.stream().filter(round -> !round.tasks().isEmpty()).toList();
    boolean isCounted =
        used.stream().flatMap(round -> round.tasks().stream()).anyMatch(task -> task.rows() > 0);
    RelativeTimes times = new RelativeTimes();
    Map<String, Double> speeds = new TreeMap<>();
    double[] saved = new double[used.size()];
    double seconds = 0;
    double[] besidesSlowest = new double[used.size()];
    double rows = 0;
    Map<String, Integer> lastRounds = new HashMap<>(); // by executor
    for (int round = 0; round < saved.length; round++) {
      for (Task task : used.get(round).tasks()) {
        lastRounds.put(task.executor(), round);
      }
    }
    for (int round = 0; round < saved.length; round++) {
      Map<String, Work> work = used.get(round).work(isCounted);
      Map<String, RelativeTimes.Work> done = new HashMap<>();
      work.forEach(
          (id, one) ->
              done.put(id, new RelativeTimes.Work(one.rows(), one.seconds() / slotsOf(id, slots))));
      times.add(done);
      work.keySet().stream()
          .filter(id -> times.of(id, times.pace()) > 0)
          .forEach(id -> speeds.put(id, 0.0));
      speeds.replaceAll((id, before) -> 1 / times.of(id, times.pace()));
      double longest = longest(work, slots);
      Map<String, Double> present = new TreeMap<>(speeds);
      int now = round;
      present.keySet().removeIf(id -> lastRounds.get(id) < now); // it has left
      saved[round] = longest - longestAllocated(work, present, slots, longest);
      besidesSlowest[round] = Math.max(0, used.get(round).seconds() - longest);
      seconds += used.get(round).seconds();
      rows += work.values().stream().mapToDouble(Work::rows).sum();
    }
    double byMessage = saved.length * lowerQuartile(besidesSlowest);
    return new Saving(
        used.size(),
        seconds,
        SavedSeconds.of(saved).map(known -> known.upTo(byMessage)),
        speeds,
        slowest(used, speeds, rows / Math.max(1, used.size())));
  }

  /** Of a round's time besides its tasks: more is waiting for the slots of another training. */
  private static double lowerQuartile(double[] seconds) {
    double[] sorted = Arrays.stream(seconds).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) / 4];
  }

  private static double longest(Map<String, Work> round, Map<String, Integer> slots) {
    return round.entrySet().stream()
        .mapToDouble(one -> one.getValue().busySeconds(slotsOf(one.getKey(), slots)))
        .max()
        .orElse(0);
  }

  /** What the slowest executor would take with allocation; {@code unknown} if no speed is known. */
  private static double longestAllocated(
      Map<String, Work> round,
      Map<String, Double> speeds,
      Map<String, Integer> slots,
      double unknown) {
    double rows = round.values().stream().mapToDouble(Work::rows).sum();
    double speed = speeds.values().stream().mapToDouble(Double::doubleValue).sum();
    return speeds.entrySet().stream()
        .mapToDouble(
            one -> {
              Work work = round.getOrDefault(one.getKey(), Work.NOTHING);
              double more = rows / speed - work.rows() / one.getValue();
              return work.busySeconds(slotsOf(one.getKey(), slots)) + more;
            })
        .max()
        .orElse(unknown);
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
                    RelativeTimes.median(
                        overheads.get(executor).stream().mapToDouble(Double::doubleValue)))));
    return SlowestExecutor.of(executors);
  }

  private static int slotsOf(String executor, Map<String, Integer> slots) {
    return slots.getOrDefault(executor, 1);
  }
}
