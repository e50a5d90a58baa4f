package io.sparkata.lab.simulate;

import static io.sparkata.lab.BadArgument.require;

import io.sparkata.lab.Rounds;
import io.sparkata.simulation.Drift;
import io.sparkata.simulation.Laws;
import io.sparkata.simulation.RecordedTrace;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.TimeLaw;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What happens to the workers, whatever the policy, as options. */
final class ScenarioOptions {
  private static final int PAPER_BUDGET = 23;
  private static final int CLUSTER_UNITS_PER_WORKER = 64;
  private static final List<Double> CLUSTER_SPEEDS = List.of(8.0, 4.0, 2.0, 1.0);
  private static final long DEFAULT_ROUNDS = 1000;
  private static final double SLOWER = 10;

  /** What changes between rounds. */
  enum Kind {
    NONE,
    STEP,
    RAMP,
    THROTTLE,
    JOIN,
    LEAVE
  }

  @Option(
      names = "--law",
      paramLabel = "NAME",
      description =
          "Times of a unit: linear (default), sqrt, log, quadratic, exp-linear and so on, mixed,"
              + " pareto-2, pareto-1.5, lognormal-2, or cluster (1 / speed, little noise).")
  private String law;

  @Option(names = "--workers", paramLabel = "N", description = "Default: 51.")
  private Integer workers;

  @Option(
      names = "--budget",
      paramLabel = "B",
      description = "Units per round. Default: 23; cluster: 64 per worker; --trace: as recorded.")
  private Integer budget;

  @Option(
      names = "--rounds",
      paramLabel = "K",
      description = "Default: 1000; --trace: as recorded.")
  private Long rounds;

  @Option(
      names = "--speeds",
      paramLabel = "LIST",
      split = ",",
      description = "For cluster: units per time, one per worker. Default: 8,4,2,1.")
  private List<Double> speeds;

  @Option(
      names = "--variation",
      paramLabel = "CV",
      description = "For cluster: standard deviation of a unit over its mean. Default: 0.1.")
  private Double variation;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Replay a round log (docs/round-log.md) instead of a law; times in ns.")
  private Path trace;

  @Option(
      names = "--scenario",
      paramLabel = "KIND",
      defaultValue = "none",
      description = {
        "none: nothing changes (default);",
        "step: after a third of the rounds the means are in reverse;",
        "ramp: they get there gradually from a third to two thirds;",
        "throttle: from a third to two thirds the fastest is 10 times slower;",
        "join: after a third one more worker comes, 10 times slower than the median;",
        "leave: after a third the fastest is lost with its units."
      })
  private Kind kind;

  @Option(
      names = "--fixed-cost",
      paramLabel = "T",
      defaultValue = "0",
      description = "Time that each used worker loses per round. Default: 0.")
  private double fixedCost;

  @Option(
      names = "--censor",
      paramLabel = "P",
      defaultValue = "0",
      description =
          "Probability that a worker's units of a round are killed: the policy learns a lower bound"
              + " of their time. Default: 0.")
  private double censored;

  private RecordedTrace recorded;

  /** The scenario, from options that fit together; to be called first. */
  Scenario scenario() throws IOException {
    boolean cluster = "cluster".equals(law);
    require(cluster || speeds == null, "--speeds", speeds, "only with --law cluster");
    require(cluster || variation == null, "--variation", variation, "only with --law cluster");
    String rule = "not with --law cluster; see --speeds";
    require(!cluster || workers == null, "--workers", workers, rule);
    TimeLaw steady;
    int units;
    if (trace != null) {
      boolean isAlone = law == null && workers == null;
      require(isAlone, "--trace", trace, "not with --law or --workers");
      recorded = Rounds.read(trace).trace();
      units = budget == null ? recorded.budget() : budget;
      steady = recorded.law(Math.max(1, units)); // a unit is a part of a round's samples
    } else if (cluster) {
      steady =
          Laws.cluster(
              speeds == null ? CLUSTER_SPEEDS : speeds, variation == null ? 0.1 : variation);
      units = budget == null ? CLUSTER_UNITS_PER_WORKER * steady.workers() : budget;
    } else {
      steady = Laws.of(law == null ? "linear" : law, workers == null ? 51 : workers);
      units = budget == null ? PAPER_BUDGET : budget;
    }
    return changing(steady, units).withFixedCost(fixedCost).withCensoring(censored);
  }

  Kind kind() {
    return kind;
  }

  /** The training that is replayed, after {@link #scenario}. */
  Optional<RecordedTrace> recorded() {
    return Optional.ofNullable(recorded);
  }

  long rounds() {
    long byDefault = recorded == null ? DEFAULT_ROUNDS : recorded.rounds();
    return rounds == null ? byDefault : rounds;
  }

  private Scenario changing(TimeLaw steady, int units) {
    long from = Math.max(1, rounds() / 3);
    long to = Math.max(from + 1, 2 * rounds() / 3);
    int fastest = Drift.fastest(steady);
    return switch (kind) {
      case NONE -> Scenario.of(steady, units);
      case STEP -> Scenario.of(Drift.step(steady, from), units);
      case RAMP -> Scenario.of(Drift.ramp(steady, from, to), units);
      case THROTTLE -> Scenario.of(Drift.throttle(steady, fastest, SLOWER, from, to), units);
      case JOIN ->
          Scenario.of(Drift.withNewcomer(steady, Drift.median(steady), SLOWER), units)
              .withJoin(steady.workers(), from);
      case LEAVE -> Scenario.of(steady, units).withLeave(fastest, from);
    };
  }
}
