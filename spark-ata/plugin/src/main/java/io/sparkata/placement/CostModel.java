package io.sparkata.placement;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What a round and a fetch cost each executor of a round, as far as is known: the one place that
 * says so. In seconds, rows and bytes; executors by their positions in the round's members.
 * Immutable. Driver only.
 */
public final class CostModel {
  /** A fetch counts so many times: it also takes time from the executor that serves it. */
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

  /** Whether that of all executors is. */
  public boolean isKnown() {
    return Arrays.stream(secondsPerRow).noneMatch(Double::isNaN);
  }

  /** What the executor takes for so many rows that it holds; NaN while unknown. */
  public double seconds(int executor, double rows) {
    return rows > 0 ? secondsPerRound[executor] + rows * secondsPerRow[executor] : 0;
  }

  /** What it takes the executor to fetch so many bytes. */
  public double fetchSeconds(int executor, double bytes) {
    return FETCH_WEIGHT * bytes / bytesPerSecond[executor];
  }

  /** What it takes some executors to fetch so many bytes in all, at the same time. */
  public double fetchSeconds(int[] executors, double bytes) {
    return FETCH_WEIGHT
        * bytes
        / Arrays.stream(executors).mapToDouble(i -> bytesPerSecond[i]).sum();
  }

  /** The longest time of an executor: a round's; NaN if one is. */
  public double longest(IntToDoubleFunction secondsOfExecutor) {
    return IntStream.range(0, secondsPerRow.length)
        .mapToDouble(secondsOfExecutor)
        .reduce(0, Math::max);
  }
}
