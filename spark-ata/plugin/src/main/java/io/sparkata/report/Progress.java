package io.sparkata.report;

import java.util.Optional;

/**
 * When a training's log says that it goes on: every half minute, within long steps too. Times are
 * of any clock, in seconds. Thread-safe.
 */
final class Progress {
  private static final double PAUSE = 30;

  private String step = "";
  private double stepStart;
  private double saidAt = Double.NaN;
  private int rounds;
  private int countedRounds;
  private double countedFrom = Double.NaN;

  /** A step begins, such as {@code packing}. */
  synchronized void begin(String name, double now) {
    step = name;
    stepStart = now;
  }

  /** No step runs. */
  synchronized void idle() {
    step = "";
  }

  /** A round has ended; what to say, if anything. */
  synchronized Optional<String> round(double now) {
    idle();
    rounds++;
    if (Double.isNaN(countedFrom)) {
      count(now);
      return Optional.empty();
    }
    if (now - countedFrom < PAUSE) {
      return Optional.empty();
    }
    double perRound = (now - countedFrom) / (rounds - countedRounds);
    count(now);
    return Optional.of(
        rounds
            + " rounds so far, "
            + ReportText.seconds(perRound)
            + " s a round since the last such line");
  }

  private void count(double now) {
    saidAt = now;
    countedFrom = now;
    countedRounds = rounds;
  }

  /** Time has passed; what to say of the step that runs, if anything. */
  synchronized Optional<String> tick(double now) {
    if (step.isEmpty() || now - stepStart < PAUSE || now - saidAt < PAUSE) {
      return Optional.empty();
    }
    saidAt = now;
    return Optional.of(step + " has run for " + ReportText.seconds(now - stepStart) + " s");
  }
}
