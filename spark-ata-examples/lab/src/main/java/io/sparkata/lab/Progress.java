package io.sparkata.lab;

import java.util.Locale;

/** Prints lines to standard error, each with the seconds since this object was created. */
public final class Progress {
  private final long start = System.nanoTime();

  /** Prints one line, formatted as by {@link String#format}. */
  public void say(String pattern, Object... values) {
    System.err.printf(
        Locale.ROOT,
        "[%4.0f s] %s%n",
        (System.nanoTime() - start) / 1e9,
        String.format(Locale.ROOT, pattern, values));
  }
}
