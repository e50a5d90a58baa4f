package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whole calls by sides that have trained nothing before: the table of README, and the demo. */
final class Cold {
  static final Experiment EXPERIMENT =
      new Experiment(
          "cold",
          "--speeds=8,4,2,1 --sides=spark,spark-partitioned,spark-ata --works=flights-80000"
              + " --iterations=20 --repetitions=3",
          "--speeds=2,1 --works=flights-20000 --iterations=6 --repetitions=1",
          Set.of(Experiment.Trait.COLD),
          Map.of(),
          List.of(
              Column.of("call s", "%.1f", "callSeconds"),
              Column.of("least to most", "%.1f to %.1f", "leastCallSeconds", "mostCallSeconds"),
              Column.of("s/iteration", "%.2f", "secondsPerIteration"),
              Column.WEIGHTS));

  private Cold() {}
}
