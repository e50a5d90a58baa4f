package io.sparkata.tools.bench;

import java.util.Locale;

/** Lines on stderr with the seconds since the start. */
final class Progress {
  private final long start = System.nanoTime();

  void say(String pattern, Object... values) {
    System.err.printf(
        Locale.ROOT,
        "[%4.0f s] %s%n",
        (System.nanoTime() - start) / 1e9,
        String.format(Locale.ROOT, pattern, values));
  }
}
