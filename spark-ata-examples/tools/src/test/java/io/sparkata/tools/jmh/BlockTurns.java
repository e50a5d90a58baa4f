package io.sparkata.tools.jmh;

import java.util.Locale;

/**
 * One case's time per row: our sum of blocks and Spark's alternate in one JVM.
 *
 * @param nanos our nanoseconds per row, the median over the turns
 * @param sparkNanos those of the aggregator's own {@code add}, likewise
 */
record BlockTurns(BlockCase measured, double nanos, double sparkNanos) implements KernelFigures {
  @Override
  public String head() {
    return BlockCase.HEAD + " ns a row | Spark's | x Spark |\n|---|---|---|---|---|---|---|---|";
  }

  @Override
  public String text() {
    return measured.cells()
        + String.format(
            Locale.ROOT, " %.1f | %.1f | %.2f |", nanos, sparkNanos, sparkNanos / nanos);
  }

  @Override
  public String json() {
    return String.format(
        Locale.ROOT,
        "{%s,\"nanosPerRow\":%.1f,\"sparkNanosPerRow\":%.1f,\"timesSpark\":%.3f}",
        measured.jsonFields(),
        nanos,
        sparkNanos,
        sparkNanos / nanos);
  }
}
