package io.sparkata.tools.demo;

import io.sparkata.tools.FlightFeatures;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * The options that decide what the demo trains, and for how long. The command that starts the
 * cluster checks them before it starts anything, and hands them on to the Spark application. Needs
 * no Spark.
 */
final class DemoSettings {
  /** Default rows of the short demo. */
  static final int QUICK_ROWS = 600_000;

  /**
   * Default buckets of its feature hash: few, so that sending weights is a small part of a round.
   */
  static final int QUICK_BUCKETS = 1 << 16;

  private static final int SECONDS = 15;
  private static final int ITERATIONS = 30;
  private static final int WARM_UP = 3;
  private static final int LONGEST_SECONDS = 600;
  private static final int MOST_ITERATIONS = 9_999;
  private static final int MOST_ROWS = 2_500_000;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Time budget of each side's training. Default: " + SECONDS + ".")
  private Double seconds;

  @Option(
      names = "--full",
      description =
          "The long comparison instead: mllib, uniform and adaptive, --iterations rounds each, with"
              + " code warmed up and speeds calibrated.")
  private boolean isFull;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "With --full: iterations of each side. Default: " + ITERATIONS + ".")
  private Integer iterations;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description =
          "With --full: iterations of each side before the clock runs. Default: " + WARM_UP + ".")
  private Integer warmUp;

  @Option(
      names = "--rows",
      defaultValue = "0",
      paramLabel = "N",
      description =
          "Flights to train on. Default: "
              + QUICK_ROWS
              + "; with --full all, or as many as the kernel goes over in "
              + EnoughFlights.MOST_KERNEL_SECONDS
              + " s of one core.")
  private int rows;

  @Option(
      names = "--buckets",
      defaultValue = "0",
      paramLabel = "N",
      description =
          "Size of the feature hash, a power of two. Default: "
              + QUICK_BUCKETS
              + "; with --full "
              + FlightFeatures.DEFAULT_BUCKETS
              + ".")
  private int buckets;

  @Option(
      names = "--order",
      defaultValue = "" + FlightFeatures.DEFAULT_ORDER,
      paramLabel = "N",
      description = "Most fields in a crossed feature, 1 to 7. Default: ${DEFAULT-VALUE}.")
  private int order;

  @Option(
      names = "--step",
      defaultValue = "100",
      paramLabel = "X",
      description = "Step size of gradient descent. Default: ${DEFAULT-VALUE}.")
  private double step;

  @Option(
      names = "--reg",
      defaultValue = "1e-5",
      paramLabel = "X",
      description = "L2 regularisation. Default: ${DEFAULT-VALUE}.")
  private double regParam;

  /**
   * Checks what the types of the options leave open.
   *
   * @throws IllegalArgumentException naming the first option that is not legal
   */
  void check() {
    require(!isFull || seconds == null, "--seconds", seconds, "not with --full");
    require(isFull || iterations == null, "--iterations", iterations, "with --full only");
    require(isFull || warmUp == null, "--warm-up", warmUp, "with --full only");
    require(
        seconds() >= 1 && seconds() <= LONGEST_SECONDS,
        "--seconds",
        seconds(),
        "1 to " + LONGEST_SECONDS);
    require(
        iterations() >= FullDemo.SETTLED + 2 && iterations() <= MOST_ITERATIONS,
        "--iterations",
        iterations(),
        FullDemo.SETTLED + 2 + " to " + MOST_ITERATIONS);
    require(
        warmUp() >= 1 && warmUp() <= MOST_ITERATIONS,
        "--warm-up",
        warmUp(),
        "1 to " + MOST_ITERATIONS);
    require(
        rows >= 0 && rows <= MOST_ROWS, "--rows", rows, "0 for the default, or 1 to " + MOST_ROWS);
    require(
        buckets == 0 || (buckets >= 2 && Integer.bitCount(buckets) == 1),
        "--buckets",
        buckets,
        "0 for the default, or a power of two from 2 to " + (1 << 30));
    require(order >= 1 && order <= 7, "--order", order, "1 to 7");
    require(step > 0 && Double.isFinite(step), "--step", step, "a number above 0");
    require(regParam >= 0 && Double.isFinite(regParam), "--reg", regParam, "a number from 0");
  }

  private static void require(boolean isLegal, String name, Object value, String rule) {
    if (!isLegal) {
      throw new IllegalArgumentException("Invalid " + name + ": " + value + " (" + rule + ")");
    }
  }

  /** These settings as options of the application. */
  List<String> arguments() {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--rows=" + rows,
                "--buckets=" + buckets,
                "--order=" + order,
                "--step=" + step,
                "--reg=" + regParam));
    if (isFull) {
      arguments.addAll(List.of("--full", "--iterations=" + iterations(), "--warm-up=" + warmUp()));
    } else {
      arguments.add("--seconds=" + seconds());
    }
    return arguments;
  }

  boolean isFull() {
    return isFull;
  }

  double seconds() {
    return seconds == null ? SECONDS : seconds;
  }

  int iterations() {
    return iterations == null ? ITERATIONS : iterations;
  }

  int warmUp() {
    return warmUp == null ? WARM_UP : warmUp;
  }

  /** 0 where the mode decides. */
  int rows() {
    return rows;
  }

  FlightFeatures features() {
    int byMode = isFull ? FlightFeatures.DEFAULT_BUCKETS : QUICK_BUCKETS;
    return new FlightFeatures(buckets == 0 ? byMode : buckets, order);
  }

  double step() {
    return step;
  }

  double regParam() {
    return regParam;
  }
}
