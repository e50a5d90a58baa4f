package io.sparkata.lab.bench;

import java.util.Map;
import java.util.Set;

/** Gradient descent with speculation on, one executor ten times slower. */
final class Speculation {
  static final Experiment EXPERIMENT =
      new Experiment(
          "speculation",
          "--speeds=10,10,10,1 --sides=spark,uniform,adaptive"
              + " --works=dense-large,sparse-large --iterations=40",
          "--speeds=4,1 --sides=spark,adaptive --works=dense-large --iterations=12",
          Set.of(),
          Map.of("spark.speculation", "true"),
          Heterogeneous.EXPERIMENT.columns());

  private Speculation() {}
}
