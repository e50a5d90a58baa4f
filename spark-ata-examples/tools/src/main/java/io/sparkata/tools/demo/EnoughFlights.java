package io.sparkata.tools.demo;

import io.sparkata.tools.FlightFeatures;
import io.sparkata.tools.Flights;
import io.sparkata.tools.Progress;
import io.sparkata.tools.RunFailure;
import java.io.IOException;
import java.util.Locale;

/** How many flights make a round long enough to compare sides by, and short enough for a demo. */
final class EnoughFlights {
  /** With less work in a round the comparison would show Spark's overhead. */
  static final double LEAST_KERNEL_SECONDS = 0.5;

  /** With more, an executor of a tenth of a core makes the demo take half an hour. */
  static final double MOST_KERNEL_SECONDS = 1.3;

  private static final int ROWS_STEP = 100_000;

  private EnoughFlights() {}

  /**
   * Reads the flights and times their kernel on this core.
   *
   * @param rows how many, 0 for as many as {@link #rowsToTake} says
   * @throws RunFailure if a round has too little work
   */
  static Flights read(String data, int rows, FlightFeatures features, Progress progress)
      throws IOException {
    Flights flights = Flights.read(data, rows);
    double seconds = OneCoreKernel.secondsPerRound(flights, features);
    int taken = rows == 0 ? rowsToTake(flights.rows(), seconds) : flights.rows();
    if (taken < flights.rows()) {
      progress.say(
          "%,d of %,d flights: the kernel needs %.1f s of one core for all. All by --rows=%d",
          taken, flights.rows(), seconds, flights.rows());
      seconds *= (double) taken / flights.rows();
      flights = Flights.read(data, taken);
    }
    progress.say(
        "%,d flights, %d features each, %,d weights",
        flights.rows(), features.nonZeros(), features.size());
    progress.say(
        "kernel: %.0f ms of one core per round (timed on the driver over %,d packed rows)",
        1e3 * seconds, Math.min(OneCoreKernel.SAMPLE_ROWS, flights.rows()));
    if (seconds < LEAST_KERNEL_SECONDS) {
      throw new RunFailure(
          String.format(
              Locale.ROOT,
              "Cannot compare: the kernel needs %.0f ms of one core per round, less than %.0f ms."
                  + " Set --buckets=%d, or --rows and --order to more.",
              1e3 * seconds,
              1e3 * LEAST_KERNEL_SECONDS,
              2 * (features.size() - 1)));
    }
    return flights;
  }

  /**
   * How many of the rows the kernel goes over in {@value #MOST_KERNEL_SECONDS} s, in steps of
   * {@value #ROWS_STEP}, one at least.
   *
   * @param seconds of one core for all
   */
  static int rowsToTake(int all, double seconds) {
    if (seconds <= MOST_KERNEL_SECONDS) {
      return all;
    }
    int steps = (int) (all * (MOST_KERNEL_SECONDS / seconds)) / ROWS_STEP;
    return Math.min(all, Math.max(1, steps) * ROWS_STEP);
  }
}
