package io.sparkata.allocation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Gives everything to the first worker, or returns the given answer. */
final class FakePolicy implements OverheadAware {

  final List<String> asked = new ArrayList<>();
  final List<String> observed = new ArrayList<>();
  Map<String, Double> means = Map.of();
  final List<Double> unitSizes = new ArrayList<>();
  Map<String, Double> overheads = Map.of();
  boolean answers = true;
  int[] answer;

  @Override
  public String id() {
    return "fake";
  }

  @Override
  public int[] allocate(List<String> workers, int budget) {
    asked.add(workers + " " + budget);
    if (answers) {
      answer = new int[workers.size()];
      answer[0] = budget;
    }
    return answer;
  }

  @Override
  public void observe(String worker, double units, double time) {
    observed.add(worker + " " + units + " " + time);
  }

  @Override
  public void observeAtLeast(String worker, double units, double time) {
    observed.add(worker + " >= " + units + " " + time);
  }

  @Override
  public int[] allocate(List<String> workers, int budget, double unitSize) {
    unitSizes.add(unitSize);
    return allocate(workers, budget);
  }

  @Override
  public void observeOverhead(String worker, double time) {
    observed.add(worker + " + " + time);
  }

  @Override
  public double overhead(String worker) {
    return overheads.getOrDefault(worker, 0.0);
  }

  @Override
  public double meanTime(String worker) {
    return means.getOrDefault(worker, 7.0);
  }
}
