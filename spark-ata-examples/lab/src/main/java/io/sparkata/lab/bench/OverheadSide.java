package io.sparkata.lab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What takes turns in the case overhead. {@code spark.ata.execution} belongs to an application, so
 * sides with resident rounds have applications of their own.
 *
 * @param id the name in the results
 * @param runner what runs a round: {@code mllib}, {@code stage} or {@code resident}; {@code job}
 *     for plain jobs without a training
 * @param trained who trains; empty for plain jobs
 */
record OverheadSide(String id, String runner, Optional<BenchSide> trained) {
  /** A job that broadcasts weights and sums a gradient of the same size. */
  static final OverheadSide PLAIN_ROUND = plain("broadcast-tree-aggregate");

  /** A job that does nothing. */
  static final OverheadSide EMPTY_JOB = plain("empty-job");

  static final OverheadSide MLLIB =
      new OverheadSide(BenchSide.MLLIB.id(), "mllib", Optional.of(BenchSide.MLLIB));

  private static final String STAGE = "stage";
  private static final String RESIDENT = "resident";

  private static OverheadSide plain(String id) {
    return new OverheadSide(id, "job", Optional.empty());
  }

  private static OverheadSide stage(BenchSide side) {
    return new OverheadSide(side.id(), STAGE, Optional.of(side));
  }

  /**
   * All sides, MLlib's first.
   *
   * @param policies the sides of Spark ATA that have jobs for rounds
   */
  static List<OverheadSide> all(List<BenchSide> policies) {
    List<OverheadSide> sides = new ArrayList<>();
    sides.add(MLLIB);
    policies.forEach(side -> sides.add(stage(side)));
    sides.add(new OverheadSide("uniform-resident", RESIDENT, Optional.of(BenchSide.UNIFORM)));
    sides.add(PLAIN_ROUND);
    sides.add(EMPTY_JOB);
    return sides;
  }

  boolean isResident() {
    return runner.equals(RESIDENT);
  }

  /** Of the side's application: the value of {@code spark.ata.execution}. */
  String execution() {
    return isResident() ? RESIDENT : STAGE;
  }
}
