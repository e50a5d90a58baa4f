package io.sparkata.lab.bench;

import java.util.Map;
import java.util.Set;

/** {@link Heterogeneous} on YARN. */
final class Yarn {
  static final Experiment EXPERIMENT =
      new Experiment(
          "yarn",
          Heterogeneous.EXPERIMENT.defaults(),
          Heterogeneous.EXPERIMENT.quick(),
          Set.of(Experiment.Trait.YARN),
          Map.of(),
          Heterogeneous.EXPERIMENT.columns());

  private Yarn() {}
}
