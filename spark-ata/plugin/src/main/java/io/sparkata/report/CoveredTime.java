package io.sparkata.report;

import java.util.Map;
import java.util.TreeMap;

/** The length of a union of times, each moment once. Times may come out of order. Thread-safe. */
public final class CoveredTime {
  /** More of them are summed up: what comes later overlaps none of them. */
  private static final int KEPT = 256;

  private final TreeMap<Double, Double> ends = new TreeMap<>(); // by start, none overlaps another
  private double summed;

  /** Adds the time from {@code start} to {@code end}. */
  public synchronized void add(double start, double end) {
    double from = start;
    double to = end;
    for (Map.Entry<Double, Double> other = ends.floorEntry(to);
        other != null && other.getValue() >= from;
        other = ends.floorEntry(to)) {
      from = Math.min(from, other.getKey());
      to = Math.max(to, other.getValue());
      ends.remove(other.getKey());
    }
    ends.put(from, to);
    if (ends.size() > KEPT) {
      Map.Entry<Double, Double> first = ends.pollFirstEntry();
      summed += first.getValue() - first.getKey();
    }
  }

  /** The length of all times. */
  public synchronized double length() {
    return summed
        + ends.entrySet().stream().mapToDouble(one -> one.getValue() - one.getKey()).sum();
  }
}
