package io.sparkata.cache;

import io.sparkata.cache.CachedStage.NotDone;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How fast executors are relative to each other, from stages of different cost: the seconds that a
 * slot took for a unit of weight, over what the stage would have taken on an executor of speed 1.
 * Medians over an executor's last five stages, its first one, on a cold JVM, left out. Long stages
 * weigh more: a task of milliseconds ends before its executor meets its CPU quota. One thread.
 */
final class StageSpeeds {
  private static final int WINDOW = 5;
  private static final int COLD = 1;
  private static final int WARM = 10;

  /** What has not been done in a time is expected to take as long again. */
  private static final double NOT_DONE = 2;

  /** A task may be slow by chance, and an executor that seems slow gets few others. */
  private static final double MOST_NOT_DONE = 8;

  private static final double ROUNDING = 1e-9;

  private final Map<String, Deque<Sample>> slownesses = new HashMap<>();
  private final Map<String, Deque<Sample>> fixed = new HashMap<>();
  private final LightStages light = new LightStages(WINDOW);
  private final Map<String, Integer> stages = new HashMap<>();
  private final Map<String, Double> notDoneYet = new HashMap<>(); // slowness by executor
  private double cost;

  private record Sample(double value, double weight) {}

  /**
   * Adds a stage.
   *
   * @param secondsPerWeight of a slot, by executor; above 0
   * @param onlyTasks weights of tasks that were an executor's only one, by executor: what such a
   *     task took besides is guessed, if other executors had several
   * @return seconds per weight, without what only tasks took besides
   */
  Map<String, Double> add(Map<String, Double> secondsPerWeight, Map<String, Double> onlyTasks) {
    double scale = scale(secondsPerWeight, onlyTasks.keySet());
    Map<String, Double> limited = new HashMap<>(secondsPerWeight);
    if (!onlyTasks.keySet().containsAll(secondsPerWeight.keySet())) {
      limited.replaceAll(
          (executor, seconds) ->
              onlyTasks.containsKey(executor) && isKnown(executor)
                  ? guess(executor, seconds, scale, onlyTasks.get(executor))
                  : seconds);
    }
    boolean isAnyWarm = limited.keySet().stream().anyMatch(this::hasRun);
    double counted = isAnyWarm ? light.counted(scale) : 0;
    limited.forEach(
        (executor, seconds) -> {
          notDoneYet.remove(executor);
          boolean isWarm = stages.merge(executor, 1, Integer::sum) > COLD;
          if (isWarm && (counted > 0 || !isKnown(executor))) {
            add(slownesses, executor, new Sample(seconds / scale, Math.max(scale, counted)));
          }
        });
    cost = scale;
    return limited;
  }

  /**
   * Adds executors that have not done a task of the stage in some time: until they do one, they
   * count as slow. The longest time counts: of an executor that is known to be slow, a second
   * attempt does a task sooner. As it may never do one, a stage on cold JVMs counts, within bounds.
   *
   * @param notDone by executor
   * @param perWeight seconds of those that have done some, as {@link #add} has returned them
   * @param fixed what these took besides
   */
  void addNotDone(
      Map<String, NotDone> notDone, Map<String, Double> perWeight, Map<String, Double> fixed) {
    boolean isAnyKnown = perWeight.keySet().stream().anyMatch(this::isKnown);
    notDone.forEach(
        (executor, one) -> {
          double[] ofSpeedOne =
              perWeight.keySet().stream()
                  .filter(id -> isKnown(id) || !isAnyKnown)
                  .mapToDouble(
                      id ->
                          (perWeight.get(id) * one.weight() + fixed.getOrDefault(id, 0.0))
                              / (isAnyKnown ? median(slownesses.get(id)) : 1))
                  .toArray();
          double expected = NOT_DONE * one.seconds() / median(ofSpeedOne);
          notDoneYet.merge(executor, Math.min(MOST_NOT_DONE, expected), Math::max);
        });
  }

  /** Adds what the stage took besides, by executor: seconds of a slot. */
  void addFixed(Map<String, Double> seconds) {
    seconds.forEach((executor, of) -> add(fixed, executor, new Sample(of, /* weight= */ 1)));
  }

  private static void add(Map<String, Deque<Sample>> all, String executor, Sample value) {
    Deque<Sample> last = all.computeIfAbsent(executor, unused -> new ArrayDeque<>());
    last.add(value);
    if (last.size() > WINDOW) {
      last.remove();
    }
  }

  /** At most what is known, since fixed seconds were once those of a cold JVM; at least half. */
  private double guess(String executor, double secondsPerWeight, double scale, double weight) {
    double known = scale * slowness(executor);
    double without = secondsPerWeight - fixedSeconds(executor) / weight;
    return Math.min(known, Math.max(known / 2, without));
  }

  private double scale(Map<String, Double> secondsPerWeight, Set<String> withOneTask) {
    List<String> known = secondsPerWeight.keySet().stream().filter(this::isKnown).toList();
    List<String> certain = known.stream().filter(one -> !withOneTask.contains(one)).toList();
    return known.isEmpty()
        ? median(secondsPerWeight.values().stream().mapToDouble(v -> v).toArray())
        : median(
            (certain.isEmpty() ? known : certain)
                .stream().mapToDouble(one -> secondsPerWeight.get(one) / slowness(one)).toArray());
  }

  /** Whether it was measured, on a warm JVM. */
  boolean isKnown(String executor) {
    return slownesses.containsKey(executor);
  }

  /** Whether it has run a stage. */
  boolean hasRun(String executor) {
    return stages.containsKey(executor);
  }

  /** Whether it has run so many stages that its JVM is warm. */
  boolean isWarm(String executor) {
    return stages.getOrDefault(executor, 0) >= WARM;
  }

  /** Whether at least one was. */
  boolean isEmpty() {
    return slownesses.isEmpty();
  }

  /** Seconds over those of an executor of speed 1; of one that is not known at least the median. */
  double slowness(String executor) {
    Deque<Sample> last = slownesses.get(executor);
    double measured =
        last == null
            ? median(slownesses.values().stream().mapToDouble(StageSpeeds::median).toArray())
            : median(last);
    return Math.max(measured, notDoneYet.getOrDefault(executor, 0.0));
  }

  /** What a stage takes a slot besides; 0 of an executor that is not known. */
  double fixedSeconds(String executor) {
    return fixed.containsKey(executor) ? median(fixed.get(executor)) : 0;
  }

  /** What a unit of weight took in the last stage on an executor of speed 1. */
  double cost() {
    return cost;
  }

  /** Forgets executors that are gone. */
  void retain(Set<String> live) {
    slownesses.keySet().retainAll(live);
    fixed.keySet().retainAll(live);
    stages.keySet().retainAll(live);
    notDoneYet.keySet().retainAll(live);
  }

  /** The mean of the least and the greatest value that split the weight in halves. */
  private static double median(Deque<Sample> samples) {
    List<Sample> sorted = samples.stream().sorted(Comparator.comparing(Sample::value)).toList();
    double half = sorted.stream().mapToDouble(Sample::weight).sum() / 2;
    double least = Double.NaN;
    double below = 0;
    for (Sample one : sorted) {
      below += one.weight();
      if (Double.isNaN(least) && below >= half * (1 - ROUNDING)) {
        least = one.value();
      }
      if (below > half * (1 + ROUNDING)) {
        return (least + one.value()) / 2;
      }
    }
    throw new IllegalArgumentException("no samples");
  }

  private static double median(double[] values) {
    return median(
        Arrays.stream(values)
            .mapToObj(value -> new Sample(value, /* weight= */ 1))
            .collect(Collectors.toCollection(ArrayDeque::new)));
  }
}
