package io.sparkata.report;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * The executors' times per row, comparable over rounds that differ: code gets compiled, other
 * programs come and go. A time per row is the executor's relative time, times the pace of the
 * round. The pace is the median over the executors of their time by their relative time, which is
 * the median of its last {@value #WINDOW} times by the pace. A round says something of an executor
 * that had enough rows in it and has computed about as much as the others, or much: one share to a
 * cold JVM says nothing.
 */
public final class RelativeTimes {
  /** Rounds that must have said something of an executor. */
  public static final int ENOUGH = 3;

  private static final int WINDOW = 5;

  /** Enough rows in a round, as a part of an even share. */
  private static final double LEAST_SHARE = 0.1;

  /** Code is compiled after so many even shares. */
  private static final double WARM = 3;

  /** Before, an executor must have computed this part of what the median executor has. */
  private static final double ALIKE = 0.7;

  private final Map<String, RecentMedian> relative = new HashMap<>();
  private final Map<String, Double> evenShares = new HashMap<>(); // computed so far
  private double pace = Double.NaN;

  /** What an executor computed in a round. */
  public record Work(double rows, double seconds) {}

  /**
   * Adds a round.
   *
   * @param round by executor, of all that take part
   */
  public void add(Map<String, Work> round) {
    double evenRows = round.values().stream().mapToDouble(Work::rows).sum() / round.size();
    double enough =
        Math.min(WARM, ALIKE * median(round.keySet().stream().mapToDouble(this::computed)));
    Map<String, Double> perRow = new HashMap<>();
    round.forEach(
        (id, work) -> {
          boolean isMeasured = work.rows > 0 && work.seconds > 0; // Spark's clock has milliseconds
          if (isMeasured && work.rows >= LEAST_SHARE * evenRows && computed(id) >= enough) {
            perRow.put(id, work.seconds / work.rows);
          }
        });
    round.forEach(
        (id, work) ->
            evenShares.put(id, computed(id) + (work.rows > 0 ? work.rows / evenRows : 0)));
    if (perRow.keySet().stream().anyMatch(relative::containsKey)) {
      pace =
          median(
              perRow.keySet().stream()
                  .filter(relative::containsKey)
                  .mapToDouble(id -> perRow.get(id) / relative.get(id).value()));
    } else if (Double.isNaN(pace) && !perRow.isEmpty()) {
      pace = median(perRow.values().stream().mapToDouble(Double::doubleValue));
    }
    perRow.forEach(
        (id, seconds) ->
            relative.computeIfAbsent(id, none -> new RecentMedian(WINDOW)).add(seconds / pace));
  }

  private double computed(String executor) {
    return evenShares.getOrDefault(executor, 0.0);
  }

  /** Whether enough is known of an executor. */
  public boolean isKnown(String executor) {
    return relative.containsKey(executor) && relative.get(executor).seen() >= ENOUGH;
  }

  /** The pace of the last round. */
  public double pace() {
    return pace;
  }

  /** Seconds per row at some pace; NaN if no round said anything of the executor. */
  public double of(String executor, double atPace) {
    return relative.containsKey(executor) ? relative.get(executor).value() * atPace : Double.NaN;
  }

  /** Of at least one value. */
  public static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
  }
}
