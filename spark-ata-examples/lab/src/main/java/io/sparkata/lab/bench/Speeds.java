package io.sparkata.lab.bench;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Calculations with calibrated speeds, in rows per second by executor. */
final class Speeds {
  private Speeds() {}

  /** The mean of both calibrations, by executor. */
  static Map<String, Double> mean(Map<String, Double> before, Map<String, Double> after) {
    Map<String, Double> means = new TreeMap<>();
    before.forEach((id, speed) -> means.put(id, (speed + after.getOrDefault(id, speed)) / 2));
    return means;
  }

  /** The cluster's speed: the sum of the means, 0 without calibrations. */
  static double sum(Map<String, Double> before, Map<String, Double> after) {
    return mean(before, after).values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** The largest relative change of an executor's speed; NaN if one was not calibrated twice. */
  static double drift(
      Set<String> executors, Map<String, Double> before, Map<String, Double> after) {
    double largest = executors.isEmpty() ? Double.NaN : 0;
    for (String id : executors) {
      double factor = after.getOrDefault(id, Double.NaN) / before.getOrDefault(id, Double.NaN);
      largest = Math.max(largest, Math.abs(factor - 1));
    }
    return largest;
  }

  /** Each value divided by their sum. */
  static Map<String, Double> shares(Map<String, Double> values) {
    double sum = values.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<String, Double> shares = new TreeMap<>();
    values.forEach((id, value) -> shares.put(id, value / sum));
    return shares;
  }
}
