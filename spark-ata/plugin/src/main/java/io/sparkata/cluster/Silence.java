package io.sparkata.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /**
   * @param patience looks in a row without an answer that make an executor silent
   */
  public Silence(int patience) {
    this.patience = patience;
  }

  /**
   * Looks for answers, and asks again. An executor's first question without an answer stands.
   *
   * @param ask asks all executors; by executor, whether it has answered; a map to keep
   * @param isAwaited whether the round needs an executor
   * @return the silent executors that the round needs, as those of a host fall silent together; one
   *     of them if all executors are silent
   */
  public Set<String> look(Supplier<Map<String, BooleanSupplier>> ask, Predicate<String> isAwaited) {
    answers.forEach(
        (executor, hasAnswered) ->
            silentLooks.compute(
                executor,
                (id, looks) -> hasAnswered.getAsBoolean() ? 0 : looks == null ? 1 : looks + 1));
    Map<String, BooleanSupplier> asked = ask.get();
    asked.replaceAll((id, now) -> silentLooks.getOrDefault(id, 0) > 0 ? answers.get(id) : now);
    answers = asked;
    silentLooks.keySet().retainAll(asked.keySet());
    List<String> silent =
        silentLooks.entrySet().stream()
            .filter(one -> one.getValue() >= patience)
            .map(Map.Entry::getKey)
            .toList();
    boolean isAnyoneHeard = silent.size() < asked.size(); // else the driver may be cut off
    return silent.stream()
        .filter(isAwaited)
        .limit(isAnyoneHeard ? silent.size() : 1)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
