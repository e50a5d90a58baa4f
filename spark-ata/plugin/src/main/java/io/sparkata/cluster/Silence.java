package io.sparkata.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Finds executors that have not answered in several looks in a row. Counts looks, not time: a pause
 * of the driver is one look. Knows neither Spark nor a clock. Not thread-safe.
 */
public final class Silence {
  private final int patience;
  private final Map<String, Integer> silentLooks = new HashMap<>();
  private Map<String, BooleanSupplier> answers = new HashMap<>();
  private Set<String> found = Set.of();

  /**
   * @param patience looks in a row without an answer that make an executor silent
   */
  public Silence(int patience) {
    this.patience = patience;
  }

  /**
   * Looks for answers, and asks again. An executor's first question without an answer stands. Once
   * it has found silent executors, it finds the same ones for ever.
   *
   * @param ask asks all executors; by executor, whether it has answered; a map to keep
   * @param isAwaited whether the round needs an executor
   * @return none until an executor that the round needs is silent; then all that are, or will be at
   *     the next look, as executors of a host fall silent together; one if no executor is heard
   */
  public Set<String> look(Supplier<Map<String, BooleanSupplier>> ask, Predicate<String> isAwaited) {
    if (found.isEmpty()) {
      count(ask);
      found = find(isAwaited);
    }
    return found;
  }

  private void count(Supplier<Map<String, BooleanSupplier>> ask) {
    answers.forEach(
        (executor, hasAnswered) ->
            silentLooks.compute(
                executor,
                (id, looks) -> hasAnswered.getAsBoolean() ? 0 : looks == null ? 1 : looks + 1));
    Map<String, BooleanSupplier> asked = ask.get();
    asked.replaceAll((id, now) -> silentLooks.getOrDefault(id, 0) > 0 ? answers.get(id) : now);
    answers = asked;
    silentLooks.keySet().retainAll(asked.keySet());
  }

  private Set<String> find(Predicate<String> isAwaited) {
    Set<String> silent = silent(patience);
    Optional<String> first = silent.stream().filter(isAwaited).findFirst();
    if (first.isEmpty()) {
      return Set.of();
    }
    boolean isAnyHeard = silentLooks.containsValue(0); // else the driver may be cut off
    return isAnyHeard ? silent(Math.max(1, patience - 1)) : Set.of(first.get());
  }

  private Set<String> silent(int looks) {
    return silentLooks.entrySet().stream()
        .filter(one -> one.getValue() >= looks)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
