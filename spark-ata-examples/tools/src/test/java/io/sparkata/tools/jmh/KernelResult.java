package io.sparkata.tools.jmh;

import java.util.Locale;

/**
 * One case's speeds, in 1e9 bytes of sampled rows per second.
 *
 * @param plain the streaming read, or on a GPU the copy, which moves two bytes for each
 * @param mllib MLlib's gradient
 */
record KernelResult(KernelCase measured, double ours, double plain, double mllib)
    implements KernelFigures {
  /**
   * Converts the time that each side takes for the sampled rows.
   *
   * @param ours nanoseconds, as are {@code plain} and {@code mllib}
   */
  static KernelResult ofNanos(KernelCase measured, double ours, double plain, double mllib) {
    double bytes = measured.sampledBytes();
    int moved = measured.device().equals("gpu") ? 2 : 1;
    return new KernelResult(measured, bytes / ours, moved * bytes / plain, bytes / mllib);
  }

  @Override
  public String head() {
    return KernelCase.HEAD
        + " GB/s | of a plain read's | GB/s plain | x MLlib |\n"
        + "|---|---|---|---|---|---|---|---|---|---|";
  }

  @Override
  public String text() {
    return measured.cells()
        + String.format(
            Locale.ROOT, " %.1f | %.2f | %.1f | %.1f |", ours, ours / plain, plain, ours / mllib);
  }

  @Override
  public String json() {
    return String.format(
        Locale.ROOT,
        "{%s,\"gigabytesPerSecond\":%.3f,\"fractionOfPlainRead\":%.3f,"
            + "\"plainReadGigabytesPerSecond\":%.3f,\"timesMllib\":%.3f}",
        measured.jsonFields(),
        ours,
        ours / plain,
        plain,
        ours / mllib);
  }
}
