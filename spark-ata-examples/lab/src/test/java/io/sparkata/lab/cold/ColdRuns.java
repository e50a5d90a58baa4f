package io.sparkata.lab.cold;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Runs for tests. */
public final class ColdRuns {
  private ColdRuns() {}

  /**
   * A run.
   *
   * @param otherSeconds of the call, before its first iteration
   */
  public static ColdRun of(
      ColdSide side, double otherSeconds, int iterations, double secondsPerIteration) {
    List<Double> ends =
        IntStream.rangeClosed(1, iterations)
            .mapToObj(i -> otherSeconds + i * secondsPerIteration)
            .toList();
    return new ColdRun(
        side.id(),
        ends.get(iterations - 1),
        ends,
        side.isSparkAta() ? iterations : 0,
        new double[] {1, side.isSparkAta() ? 2 + 3e-9 : 2},
        List.of(Map.of("127.0.0.2", 3L, "127.0.0.3", 1L)));
  }

  /** All sides after 20 iterations, that of Spark ATA with these figures. */
  public static ColdComparison comparison(double otherSeconds, double secondsPerIteration) {
    return new ColdComparison(
        List.of(
            of(ColdSide.SPARK, 10, 20, 1),
            of(ColdSide.SPARK_PARTITIONED, 12, 20, 0.5),
            of(ColdSide.SPARK_ATA, otherSeconds, 20, secondsPerIteration)));
  }
}
