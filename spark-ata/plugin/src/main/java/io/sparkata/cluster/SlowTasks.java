package io.sparkata.cluster;

import io.sparkata.spark.TaskAttempts.Attempt;
import io.sparkata.spark.TaskAttempts.Second;
import io.sparkata.spark.TaskAttempts.State;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Chooses the task of a stage that an idle executor should start, too. */
final class SlowTasks {
  /** A shorter task is not worth a second attempt. */
  private static final double LEAST_MILLIS = 500;

  /** A task that has taken so many times the others' median is slow. */
  private static final double SLOW = 1.25;

  /** So many of a stage's tasks must have ended: a few may have had little to do. */
  private static final double ENDED = 0.25;

  private SlowTasks() {}

  /**
   * The attempt at a task that should be done elsewhere, too: by the executor that has taken least
   * for a task of the stage.
   *
   * @param attempts of one stage
   * @param idle executors with a free slot
   * @param overtaken executors that are known to be slow; these start no second attempts
   */
  static Optional<Second> slowest(
      List<Attempt> attempts, Collection<Executor> idle, Set<String> overtaken) {
    Map<Integer, List<Attempt>> byTask =
        attempts.stream().collect(Collectors.groupingBy(Attempt::task));
    List<Long> taken =
        attempts.stream()
            .filter(one -> one.state() == State.SUCCESSFUL)
            .map(Attempt::millis)
            .sorted()
            .toList();
    if (taken.isEmpty() || taken.size() < ENDED * byTask.size()) {
      return Optional.empty();
    }
    long median = taken.get((taken.size() - 1) / 2);
    List<Executor> helpers =
        idle.stream()
            .filter(one -> !overtaken.contains(one.id()))
            .sorted(Comparator.comparingLong(one -> leastMillis(one, attempts)))
            .toList();
    Comparator<Attempt> knownFirst =
        Comparator.comparing(one -> overtaken.contains(one.executorId()));
    return byTask.values().stream()
        .filter(ofTask -> ofTask.size() == 1) // else one of them had no room, or has failed
        .map(ofTask -> ofTask.get(0))
        .filter(one -> one.state() == State.RUNNING && !one.isHeld())
        .filter(one -> helper(one, helpers).isPresent())
        .filter(
            one -> {
              double slow = overtaken.contains(one.executorId()) ? 1 : SLOW;
              return one.millis() >= Math.max(LEAST_MILLIS, slow * median);
            })
        .max(knownFirst.thenComparing(Attempt::millis))
        .map(one -> new Second(one, helper(one, helpers).orElseThrow().id()));
  }

  private static long leastMillis(Executor executor, List<Attempt> attempts) {
    return attempts.stream()
        .filter(one -> one.state() == State.SUCCESSFUL && one.executorId().equals(executor.id()))
        .mapToLong(Attempt::millis)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** The first one on another host. */
  private static Optional<Executor> helper(Attempt slow, List<Executor> helpers) {
    return helpers.stream().filter(one -> !one.host().equals(slow.host())).findFirst();
  }
}
