package io.sparkata.report;

import java.io.PrintStream;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/**
 * A line of the driver's console that shows how far the running training is, renewed once a second.
 * Spark's own progress bar writes in the same way, and shows one job for many rounds by message. Of
 * trainings that overlap, the line shows one after another. Thread-safe.
 */
final class ConsoleLine {
  private static final long RENEW_NANOS = 1_000_000_000;
  private static final int WIDTH = 79;

  private final Optional<PrintStream> console;
  private final LongSupplier nanoClock;
  private long renewedAt;
  private boolean isShown;

  /**
   * @param console empty to show nothing
   */
  ConsoleLine(Optional<PrintStream> console, LongSupplier nanoClock) {
    this.console = console;
    this.nanoClock = nanoClock;
    this.renewedAt = nanoClock.getAsLong();
  }

  /**
   * Shows a training, unless the line was renewed just now.
   *
   * @param loss the last one, if the driver knows it; shown if the line has room for it
   */
  synchronized void show(long training, int rounds, RecentRounds recent, OptionalDouble loss) {
    long now = nanoClock.getAsLong();
    if (console.isPresent() && now - renewedAt >= RENEW_NANOS) {
      renewedAt = now;
      isShown = true;
      String text =
          ReportText.format(
              "[Spark ATA training %d: round %,d, %s s each, efficiency %.2f",
              training,
              rounds,
              ReportText.seconds(recent.seconds()),
              recent.efficiency().orElse(0));
      String last = loss.isPresent() ? ReportText.format(", loss %.3g", loss.getAsDouble()) : "";
      write(text + (text.length() + last.length() < WIDTH ? last : "") + "]");
    }
  }

  /** Clears the line. */
  synchronized void clear() {
    if (isShown) {
      isShown = false;
      write("");
      console.ifPresent(out -> out.print('\r'));
    }
  }

  private void write(String text) {
    console.ifPresent(
        out -> {
          out.print('\r' + text + " ".repeat(Math.max(0, WIDTH - text.length())));
          out.flush();
        });
  }
}
