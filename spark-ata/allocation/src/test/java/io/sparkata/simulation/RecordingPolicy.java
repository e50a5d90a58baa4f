package io.sparkata.simulation;

import io.sparkata.allocation.AllocationPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** Allocates by a function and records the observations that it receives. */
final class RecordingPolicy implements AllocationPolicy {

  final List<String> calls = new ArrayList<>();
  private final BiFunction<List<String>, Integer, int[]> rule;

  RecordingPolicy(BiFunction<List<String>, Integer, int[]> rule) {
    this.rule = rule;
  }

  /** The same units for the same number of workers, as long as the budget fits. */
  static RecordingPolicy giving(int... units) {
    return new RecordingPolicy((workers, budget) -> units);
  }

  /** All to the first. */
  static RecordingPolicy allToTheFirst() {
    return new RecordingPolicy(
        (workers, budget) -> {
          int[] units = new int[workers.size()];
          units[0] = budget;
          return units;
        });
  }

  @Override
  public String id() {
    return "recording";
  }

  @Override
  public int[] allocate(List<String> workers, int budget) {
    calls.add(String.join("+", workers) + " share " + budget);
    return rule.apply(workers, budget);
  }

  @Override
  public void observe(String worker, double units, double time) {
    calls.add(String.format(Locale.ROOT, "%s did %.0f in %.3f", worker, units, time));
  }

  @Override
  public void observeAtLeast(String worker, double units, double time) {
    calls.add(String.format(Locale.ROOT, "%s ran %.0f for %.3f", worker, units, time));
  }

  @Override
  public double meanTime(String worker) {
    return Double.NaN;
  }
}
