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
  /** Weight of a fetch, because it also takes time of the executor that serves it. */
  private static final double FETCH_WEIGHT = 2;

  private final double[] secondsPerRow;
  private final double[] secondsPerRound;
  private final double[] bytesPerSecond;

  /**
   * Takes over the arrays.
   *
   * @param secondsPerRow of a packed row, whether or not it is sampled, over the executor's slots;
   *     NaN while unknown
   * @param secondsPerRound besides the rows, of an executor that has any
   * @param bytesPerSecond of fetches
   */
  public CostModel(double[] secondsPerRow, double[] secondsPerRound, double[] bytesPerSecond) {
    this.secondsPerRow = secondsPerRow;
    this.secondsPerRound = secondsPerRound;
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Whether the time of a row is known. */
  public boolean isKnown(int executor) {
    return !Double.isNaN(secondsPerRow[executor]);
  }

  /** Whether the times of all executors are known. */
  public boolean isKnown() {
    return Arrays.stream(secondsPerRow).noneMatch(Double::isNaN);
  }

  /** The executor's time for so many rows that it holds; NaN while unknown. */
  public double seconds(int executor, double rows) {
    return rows > 0 ? secondsPerRound[executor] + rows * secondsPerRow[executor] : 0;
  }

  /** The executor's time to fetch so many bytes. */
  public double fetchSeconds(int executor, double bytes) {
    return FETCH_WEIGHT * bytes / bytesPerSecond[executor];
  }

  /** The longest time of any executor, which is the round's; NaN if one is NaN. */
  public double longest(IntToDoubleFunction secondsOfExecutor) {
    return IntStream.range(0, secondsPerRow.length)
        .mapToDouble(secondsOfExecutor)
        .reduce(0, Math::max);
  }
}
