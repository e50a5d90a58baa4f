package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** One of four even executors is slow for a third of the rounds. */
final class Drift {
  static final Experiment EXPERIMENT =
      new Experiment(
          "drift",
          "--speeds=1,1,1,1 --sides=uniform,adaptive --works=dense-large --iterations=90",
          "--speeds=1,1 --sides=adaptive --iterations=36",
          Set.of(Experiment.Trait.THROTTLED),
          Map.of(),
          List.of(
              Column.CALL,
              Column.EXECUTORS,
              Column.WORKERS,
              Column.STOLEN,
              Column.COPIES,
              Column.of(
                  "s before, throttled, released",
                  "%.3f, %.3f, %.3f",
                  "secondsBefore",
                  "secondsThrottled",
                  "secondsReleased"),
              Column.of(
                  "efficiency",
                  "%.2f, %.2f, %.2f",
                  "efficiencyBefore",
                  "efficiencyThrottled",
                  "efficiencyReleased"),
              Column.of("rounds to recover", "%.0f", "roundsToRecoverWhenThrottled"),
              Column.of("after release", "%.0f", "roundsToRecoverWhenReleased")));

  private Drift() {}
}
