package io.sparkata.cluster;

import io.sparkata.spark.TaskAttempts.Attempt;
import io.sparkata.spark.TaskAttempts.State;
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

  /** As Spark's: a task that has taken so many times the others' median is slow. */
  private static final double SLOW = 1.5;

  /** So many of a stage's tasks must have ended: a few may have had little to do. */
  private static final double ENDED = 0.25;

  private SlowTasks() {}

  /**
   * The attempt at a task that should be done elsewhere, too.
   *
   * @param attempts of one stage
   * @param idle hosts with a free slot
   * @param overtaken executors that are known to be slow
   */
  static Optional<Attempt> slowest(
      List<Attempt> attempts, Set<String> idle, Set<String> overtaken) {
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
    Comparator<Attempt> knownFirst =
        Comparator.comparing(one -> overtaken.contains(one.executorId()));
    return byTask.values().stream()
        .filter(ofTask -> ofTask.size() == 1) // else one of them had no room, or has failed
        .map(ofTask -> ofTask.get(0))
        .filter(one -> one.state() == State.RUNNING && !one.isHeld())
        .filter(one -> idle.stream().anyMatch(host -> !host.equals(one.host())))
        .filter(
            one -> {
              double slow = overtaken.contains(one.executorId()) ? 1 : SLOW;
              return one.millis() >= Math.max(LEAST_MILLIS, slow * median);
            })
        .max(knownFirst.thenComparing(Attempt::millis));
  }
}
