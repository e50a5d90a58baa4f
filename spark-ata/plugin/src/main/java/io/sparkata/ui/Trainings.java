package io.sparkata.ui;

import io.sparkata.events.CachedStages;
import io.sparkata.events.Rounds;
import io.sparkata.spark.UiStore;
import io.sparkata.spark.UiStore.ShownExecutor;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What the pages read. Thread-safe. */
final class Trainings {
  private static final int MOST_CHANGES = 10;

  private final UiStore store;
  private final boolean isOver;

  /**
   * @param isOver whether the application has ended
   */
  Trainings(UiStore store, boolean isOver) {
    this.store = store;
    this.isOver = isOver;
  }

  /** One or two words. */
  String state(StoredTraining one) {
    return isOver && one.isRunning() ? "not ended" : one.state();
  }

  /** In the order of their numbers. */
  List<StoredTraining> all() {
    return store.all(StoredTraining.class);
  }

  Optional<StoredTraining> get(long id) {
    return store.read(StoredTraining.class, id);
  }

  /** A training's rounds in their order; none if they are no longer kept. */
  List<Rounds> rounds(long id) {
    return stored(id).stream()
        .map(StoredRounds::rounds)
        .sorted(Comparator.comparingInt(Rounds::first)) // the store sorts by text, or not at all
        .toList();
  }

  private List<StoredRounds> stored(long id) {
    return store.all(StoredRounds.class, StoredRounds.TRAINING, id);
  }

  /** The host of an executor; empty if Spark no longer knows it. */
  String host(String executor) {
    return store.executor(executor).map(ShownExecutor::host).orElse("");
  }

  /** The executor if Spark has removed it while the training ran. */
  Optional<ShownExecutor> removed(StoredTraining one, String executor) {
    return store.executor(executor).filter(shown -> isRemovedIn(one, shown));
  }

  private static boolean isRemovedIn(StoredTraining one, ShownExecutor shown) {
    long end = one.endTime().orElse(Long.MAX_VALUE);
    return shown.removed() > one.startTime() && shown.removed() <= end;
  }

  /** Those that Spark has removed while one of these trainings ran, the last one first. */
  List<ShownExecutor> removed(List<StoredTraining> some) {
    return store.executors().stream()
        .filter(shown -> some.stream().anyMatch(one -> isRemovedIn(one, shown)))
        .sorted(Comparator.comparingLong(ShownExecutor::removed).reversed())
        .toList();
  }

  /** Such as {@code removed at 10:36:25: Command exited with code 137}; empty if it was not. */
  Optional<String> removedText(StoredTraining one, String executor) {
    return removed(one, executor).map(Trainings::text);
  }

  /** The same of an executor that was removed. */
  static String text(ShownExecutor removed) {
    String reason = removed.reason().lines().findFirst().orElse("");
    return "removed at "
        + RoundTimes.ofDay(removed.removed())
        + (reason.isEmpty() ? "" : ": " + reason);
  }

  /** When its rounds began. */
  RoundTimes times(long id) {
    return new RoundTimes(stored(id));
  }

  /** Of the application's jobs so far; empty before the first has ended. */
  Optional<StoredJobTimes> jobTimes() {
    return store.read(StoredJobTimes.class, StoredJobTimes.KEY);
  }

  /** Of all cached data, in the order of their RDDs. */
  List<CachedStages> caches() {
    return store.all(StoredCache.class).stream()
        .map(StoredCache::stages)
        .sorted(Comparator.comparingInt(CachedStages::rdd))
        .toList();
  }

  /** Empty if there are no rounds. */
  Optional<History> history(long id) {
    List<Rounds> rounds = rounds(id);
    return rounds.isEmpty() ? Optional.empty() : Optional.of(new History(rounds));
  }

  /** Of executors' speeds, at its end or so far. */
  List<SpeedChange> changes(StoredTraining one) {
    return one.ended() == null ? changes(one.id()) : one.changes();
  }

  /** The same by the rounds that are kept; of more than {@value #MOST_CHANGES} the largest. */
  List<SpeedChange> changes(long id) {
    RoundTimes times = times(id);
    return history(id).stream()
        .flatMap(
            history ->
                IntStream.range(0, history.executors().size())
                    .mapToObj(i -> times.change(history, i))
                    .flatMap(Optional::stream))
        .sorted(Comparator.comparingDouble(SpeedChange::size).reversed())
        .limit(MOST_CHANGES)
        .toList();
  }

  /** Of a parameter; empty if it is no number. */
  static Optional<Long> number(String parameter) {
    try {
      return Optional.of(Long.valueOf(String.valueOf(parameter)));
    } catch (NumberFormatException none) {
      return Optional.empty();
    }
  }
}
