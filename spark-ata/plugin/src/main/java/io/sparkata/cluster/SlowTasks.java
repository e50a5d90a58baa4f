package io.sparkata.cluster;

import io.sparkata.spark.TaskAttempts.Attempt;
import io.sparkata.spark.TaskAttempts.Second;
import io.sparkata.spark.TaskAttempts.State;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Chooses the task of a stage that an idle executor should start, too. */
final class SlowTasks {
  /** A shorter task is not worth a second attempt. */
  private static final double LEAST_MILLIS = 500;

  /** A task that has taken so many times the others' median is slow. */
  private static final double SLOW = 1.25;

  /** Nor is this one, if another executor would have to fetch its partition from this one's. */
  private static final double LEAST_MILLIS_HELD = 1000;

  /** After so many races the wait grows no longer. */
  private static final int MOST_DOUBLED = 10;

  /** What the end of a stage divided by speed may scatter by. */
  private static final double LATE = 0.25;

  /** So many of a stage's tasks must have ended: a few may have had little to do. */
  private static final double ENDED = 0.25;

  private SlowTasks() {}

  /**
   * What holds for partitions that only their executor has.
   *
   * @param isCaching whether the stage computes an RDD that Spark then caches where it is computed
   * @param kept how many races about such partitions an executor has won in a row
   * @param mayFetch whether another executor may fetch the partition of an attempt
   */
  record Held(boolean isCaching, Map<String, Integer> kept, Predicate<Attempt> mayFetch) {

    private boolean isLate(Attempt one, List<Attempt> all, List<Attempt> done) {
      int won = Math.min(MOST_DOUBLED, kept.getOrDefault(one.executorId(), 0));
      double least = (isCaching ? LEAST_MILLIS : LEAST_MILLIS_HELD) * (1 << won);
      double other = isCaching ? 0 : median(done);
      return one.millis() >= least && sinceOthers(all, done) >= other;
    }
  }

  /**
   * The attempt at a task that should be done elsewhere, too: by the executor that was not
   * overtaken and has taken least for the stage's tasks. One that was overtaken does it only if it
   * has taken less than half as long for its own.
   *
   * @param attempts of one stage
   * @param idle executors with a free slot
   * @param overtaken executors that are known to be slow
   * @param held what holds for partitions that only the attempt's executor has
   */
  static Optional<Second> slowest(
      List<Attempt> attempts, Collection<Executor> idle, Set<String> overtaken, Held held) {
    Map<Integer, List<Attempt>> byTask =
        attempts.stream().collect(Collectors.groupingBy(Attempt::task));
    List<Attempt> done = attempts.stream().filter(one -> one.state() == State.SUCCESSFUL).toList();
    if (done.isEmpty() || done.size() < ENDED * byTask.size()) {
      return Optional.empty();
    }
    long median = median(done);
    Comparator<Attempt> knownFirst =
        Comparator.comparing(one -> overtaken.contains(one.executorId()));
    List<Attempt> slow =
        byTask.values().stream()
            .filter(ofTask -> ofTask.size() == 1) // else one of them had no room, or has failed
            .map(ofTask -> ofTask.get(0))
            .filter(one -> one.state() == State.RUNNING)
            .filter(
                one -> {
                  double times = overtaken.contains(one.executorId()) ? 1 : SLOW;
                  return one.millis() >= Math.max(LEAST_MILLIS, times * median);
                })
            .filter(
                one ->
                    !one.isHeld() || (held.isLate(one, attempts, done) && held.mayFetch.test(one)))
            .sorted(knownFirst.thenComparing(Attempt::millis).reversed())
            .toList();
    return slow.isEmpty() ? Optional.empty() : second(slow, done, idle, overtaken);
  }

  /**
   * For how long the stage's other tasks have been done; negative until a quarter of the time that
   * they took has passed. Where partitions are divided by speed, a slow executor's one task takes
   * many times the median, and ends with them.
   */
  private static double sinceOthers(List<Attempt> all, List<Attempt> done) {
    long stage = all.stream().mapToLong(Attempt::age).max().orElseThrow();
    long sinceLast = done.stream().mapToLong(one -> one.age() - one.millis()).min().orElseThrow();
    double others = (double) stage - sinceLast;
    return sinceLast < LATE * others ? -1 : sinceLast;
  }

  private static Optional<Second> second(
      List<Attempt> slow, List<Attempt> done, Collection<Executor> idle, Set<String> overtaken) {
    Map<String, Long> medians = new HashMap<>();
    done.stream()
        .collect(Collectors.groupingBy(Attempt::executorId))
        .forEach((id, own) -> medians.put(id, median(own)));
    Comparator<Executor> knownLast = Comparator.comparing(one -> overtaken.contains(one.id()));
    List<Executor> helpers =
        idle.stream()
            .sorted(knownLast.thenComparing(one -> medians.getOrDefault(one.id(), Long.MAX_VALUE)))
            .toList();
    for (Attempt first : slow) {
      for (Executor helper : helpers) {
        long own = medians.getOrDefault(helper.id(), Long.MAX_VALUE);
        boolean isFast = !overtaken.contains(helper.id()) || own < first.millis() / 2;
        if (isFast && !helper.host().equals(first.host())) {
          return Optional.of(new Second(first, helper.id()));
        }
      }
    }
    return Optional.empty();
  }

  /** The lower one. */
  private static long median(List<Attempt> attempts) {
    return attempts.stream()
        .map(Attempt::millis)
        .sorted()
        .skip((attempts.size() - 1) / 2)
        .findFirst()
        .orElseThrow();
  }
}
