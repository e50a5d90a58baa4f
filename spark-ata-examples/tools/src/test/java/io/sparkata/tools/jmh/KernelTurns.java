package io.sparkata.tools.jmh;

import java.util.Locale;

/**
 * One case's time per row: the kernel and MLlib's gradient alternate in one JVM.
 *
 * @param nanos the kernel's nanoseconds per row, the median over the turns
 * @param mllibNanos those of MLlib's gradient, likewise
 */
record KernelTurns(KernelCase measured, double nanos, double mllibNanos) implements KernelFigures {
  @Override
  public String head() {
    return KernelCase.HEAD
        + " ns a row | MLlib's | x MLlib |\n|---|---|---|---|---|---|---|---|---|";
  }

  @Override
  public String text() {
    return measured.cells()
        + String.format(
            Locale.ROOT, " %.0f | %.0f | %.2f |", nanos, mllibNanos, mllibNanos / nanos);
  }

  @Override
  public String json() {
    return String.format(
        Locale.ROOT,
        "{%s,\"nanosPerRow\":%.1f,\"mllibNanosPerRow\":%.1f,\"timesMllib\":%.3f}",
        measured.jsonFields(),
        nanos,
        mllibNanos,
        mllibNanos / nanos);
  }
}
