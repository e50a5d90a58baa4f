package io.sparkata.placement;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What a round and a fetch cost each executor, as far as is known; every decision about costs uses
 * it. In seconds, rows and bytes; executors by their positions in the round's members. Immutable.
 * Driver only.
 */
public final class CostModel {
  private final double[] secondsPerRow;
  private final double[] secondsPerRound;
  private final double[] margins;
  private final double[] bytesPerSecond;
  private final boolean decidesCounts;
  private final double typicalSecondsPerRow;

  /**
   * Takes over the arrays.
   *
   * @param secondsPerRow of a packed row, whether or not it is sampled, over the executor's slots;
   *     NaN while unknown
   * @param secondsPerRound besides the rows, of an executor that has any
   * @param errors relative standard errors of {@code secondsPerRow}, known or not
   * @param bytesPerSecond of fetches; NaN while unknown
   * @param decidesCounts whether the policy's counts follow these times
   */
  public CostModel(
      double[] secondsPerRow,
      double[] secondsPerRound,
      double[] errors,
      double[] bytesPerSecond,
      boolean decidesCounts) {
    this.secondsPerRow = secondsPerRow;
    this.secondsPerRound = secondsPerRound;
    double most = 0.5 + Math.sqrt(Math.log((double) errors.length)); // standard errors
    this.margins =
        Arrays.stream(errors).map(error -> decidesCounts ? 1 + most * error : 1).toArray();
    this.bytesPerSecond = bytesPerSecond;
    this.decidesCounts = decidesCounts;
    double[] known =
        Arrays.stream(secondsPerRow).filter(time -> !Double.isNaN(time)).sorted().toArray();
    this.typicalSecondsPerRow = known.length == 0 ? Double.NaN : known[known.length / 2];
  }

  /** Whether the time of a row is known. */
  public boolean isKnown(int executor) {
    return !Double.isNaN(secondsPerRow[executor]);
  }

  /** The executor's time for so many rows that it holds; NaN while unknown. */
  public double seconds(int executor, double rows) {
    return rows > 0 ? secondsPerRound[executor] + rowSeconds(executor, rows) : 0;
  }

  /** The executor's time for these rows alone; NaN while unknown. */
  double rowSeconds(int executor, double rows) {
    return rows * secondsPerRow[executor];
  }

  /** About so many units, in proportion to the speeds of the executors; none while unknown. */
  public int[] units(int budget) {
    double[] speeds =
        Arrays.stream(secondsPerRow).map(time -> Double.isNaN(time) ? 0 : 1 / time).toArray();
    double all = Arrays.stream(speeds).sum();
    return Arrays.stream(speeds).mapToInt(one -> (int) Math.round(budget * one / all)).toArray();
  }

  /** Whether counts follow from times. */
  boolean decidesCounts() {
    return decidesCounts;
  }

  /**
   * The executor's time as far as counts follow from it: like the others' while it is unknown; NaN
   * if counts follow from no times, or none is known.
   */
  double expectedSeconds(int executor, double rows) {
    if (!decidesCounts) {
      return Double.NaN;
    }
    return isKnown(executor) ? seconds(executor, rows) : rows * typicalSecondsPerRow;
  }

  /**
   * By which factor the executor may be slower, or faster, than it seems; at least 1. It grows with
   * the number of executors, as do the differences that chance makes between the extremes.
   */
  double margin(int executor) {
    return margins[executor];
  }

  /** The executor's time to fetch so many bytes; NaN while unknown. */
  public double fetchSeconds(int executor, double bytes) {
    return bytes / bytesPerSecond[executor];
  }

  /** The longest time of any executor, which is the round's; NaN if one is NaN. */
  public double longest(IntToDoubleFunction secondsOfExecutor) {
    return IntStream.range(0, secondsPerRow.length)
        .mapToDouble(secondsOfExecutor)
        .reduce(0, Math::max);
  }
}
