package io.sparkata.cache;

import io.sparkata.cache.CachedStage.NotDone;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How fast executors are relative to each other, from stages of different cost: the seconds that a
 * slot took for a unit of weight, over what the stage would have taken on an executor of speed 1.
 * Medians over an executor's last five stages, its first one, on a cold JVM, left out, and those
 * that do not count ({@link LightStages}) once one has counted. One thread.
 */
final class StageSpeeds {
  private static final int WINDOW = 5;
  private static final int COLD = 1;
  private static final int WARM = 10;
  private static final double WARM_SECONDS = 10;

  /** What has not been done in a time is expected to take as long again. */
  private static final double NOT_DONE = 2;

  /** A task may be slow by chance, and an executor that seems slow gets few others. */
  private static final double MOST_NOT_DONE = 8;

  private final Map<String, Deque<Double>> slownesses = new HashMap<>();
  private final Map<String, Deque<Double>> fixed = new HashMap<>();
  private final Map<String, Integer> stages = new HashMap<>();
  private final Map<String, Double> notDoneYet = new HashMap<>(); // slowness by executor
  private final Map<String, Double> worked = new HashMap<>(); // seconds of a slot, by executor
  private final LightStages light = new LightStages();
  private final Set<String> counted = new HashSet<>(); // executors with a stage that did
  private boolean isLight; // the last stage
  private double cost;

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
    boolean isCold = limited.keySet().stream().noneMatch(this::hasRun);
    isLight = !isCold && !light.counts(scale);
    limited.forEach(
        (executor, seconds) -> {
          boolean isWarm = stages.merge(executor, 1, Integer::sum) > COLD;
          if (isWarm) {
            double weight = Math.min(1, onlyTasks.getOrDefault(executor, 1.0));
            worked.merge(executor, weight * seconds, Double::sum); // of one of its tasks
          }
          if (isLight && counted.contains(executor)) {
            return;
          }
          notDoneYet.remove(executor);
          if (isWarm && !isLight && counted.add(executor)) {
            slownesses.remove(executor);
            fixed.remove(executor);
          }
          if (isWarm) {
            add(slownesses, executor, seconds / scale);
          }
        });
    cost = scale;
    return limited;
  }

  /**
   * Adds executors that have not done a task of the stage in some time: until they do one in a
   * stage that counts, they count as slow. The longest time counts: of an executor that is known to
   * be slow, a second attempt does a task sooner. As it may never do one, a stage on cold JVMs
   * counts, within bounds.
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
          worked.merge(executor, one.seconds(), Double::sum);
          if (isLight && counted.contains(executor)) {
            return;
          }
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
    seconds.forEach(
        (executor, of) -> {
          if (!isLight || !counted.contains(executor)) {
            add(fixed, executor, of);
          }
        });
  }

  private static void add(Map<String, Deque<Double>> all, String executor, double value) {
    Deque<Double> last = all.computeIfAbsent(executor, unused -> new ArrayDeque<>());
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
    boolean hasAnyCounted = secondsPerWeight.keySet().stream().anyMatch(counted::contains);
    List<String> known =
        secondsPerWeight.keySet().stream()
            .filter(one -> hasAnyCounted ? counted.contains(one) : isKnown(one))
            .toList();
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

  /**
   * Whether its JVM is warm: it has run ten stages, or ten seconds of tasks. Of these, one task of
   * each stage counts, none of the first, and all that others did sooner.
   */
  boolean isWarm(String executor) {
    return stages.getOrDefault(executor, 0) >= WARM
        || worked.getOrDefault(executor, 0.0) >= WARM_SECONDS;
  }

  /** Whether at least one was. */
  boolean isEmpty() {
    return slownesses.isEmpty();
  }

  /** Seconds over those of an executor of speed 1; of one that is not known at least the median. */
  double slowness(String executor) {
    Deque<Double> last = slownesses.get(executor);
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
    worked.keySet().retainAll(live);
    notDoneYet.keySet().retainAll(live);
    counted.retainAll(live);
  }

  private static double median(Deque<Double> values) {
    return median(values.stream().mapToDouble(v -> v).toArray());
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
  }
}
