package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The network of the ATA paper by MLlib, on eight executors. */
final class CnnByDriver {
  static final Experiment EXPERIMENT =
      new Experiment(
          "cnn",
          "--speeds=840,420,280,210,168,140,120,105 --sides=uniform,ata-empirical,adaptive,greedy"
              + " --works=cnn-23 --iterations=1500",
          "--speeds=2,1 --sides=uniform,adaptive --iterations=100",
          Set.of(),
          Map.of("spark.ata.passThrough", "never", "spark.ata.execution", "resident"),
          List.of(
              new Column("ms/round", "%.1f", 1e3, List.of("secondsPerIteration")),
              Column.of("s (worker s)", "%.1f (%.1f)", "callSeconds", "kernelSeconds"),
              Column.of("dropped", "%.1f", "droppedSeconds"),
              Column.of("to loss 0.8", "%.1f (%.1f)", "secondsToLoss0.8", "kernelSecondsToLoss0.8"),
              Column.of("to loss 0.6", "%.1f (%.1f)", "secondsToLoss0.6", "kernelSecondsToLoss0.6"),
              Column.of("to loss 0.5", "%.1f (%.1f)", "secondsToLoss0.5", "kernelSecondsToLoss0.5"),
              Column.LOSS,
              Column.of("packing s", "%.1f", "packSeconds"),
              Column.RESIDENT,
              Column.STOLEN,
              Column.of("losses differ", "%.1g", "lossDifference")));

  private CnnByDriver() {}
}
