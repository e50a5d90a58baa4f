package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The same network by ring all-reduce, and by MLlib. */
final class CnnInRing {
  static final Experiment EXPERIMENT =
      new Experiment(
          "ring",
          "--speeds=3,3,3,3,1,1,1,1 --sides=ring-equal,ring-static,ring-self-adaptive,uniform,"
              + "self-adaptive --works=cnn-240 --iterations=300",
          "--speeds=2,1 --sides=ring-equal,ring-self-adaptive --iterations=50",
          Set.of(),
          Map.of("spark.ata.passThrough", "never", "spark.ata.execution", "resident"),
          List.of(
              new Column("ms/round", "%.1f", 1e3, List.of("secondsPerIteration")),
              Column.of("s (worker s)", "%.1f (%.1f)", "callSeconds", "kernelSeconds"),
              Column.of(
                  "x ring-equal", "%.2f (%.2f)", "callSpeedup.ring-equal", "speedup.ring-equal"),
              Column.of("x uniform", "%.2f (%.2f)", "callSpeedup.uniform", "speedup.uniform"),
              Column.LOSS,
              Column.of("packing s", "%.1f", "packSeconds"),
              Column.RESIDENT,
              Column.STOLEN,
              Column.of("losses differ", "%.1g", "lossDifference")));

  private CnnInRing() {}
}
