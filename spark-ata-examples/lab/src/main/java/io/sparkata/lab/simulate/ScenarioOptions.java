package io.sparkata.lab.simulate;

import io.sparkata.simulation.Drift;
import io.sparkata.simulation.Laws;
import io.sparkata.simulation.RecordedTrace;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.TimeLaw;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** What happens to the workers, whatever the policy, as options. */
final class ScenarioOptions {

  private static final int PAPER_BUDGET = 23;
  private static final int CLUSTER_UNITS_PER_WORKER = 64;
  private static final List<Double> CLUSTER_SPEEDS = List.of(8.0, 4.0, 2.0, 1.0);
  private static final long DEFAULT_ROUNDS = 1000;

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
          "Times of a unit: ${COMPLETION-CANDIDATES}, or cluster (1 / speed, little noise)."
              + " Default: linear.",
      completionCandidates = LawNames.class)
  private String law;

  @Option(names = "--workers", paramLabel = "N", description = "Default: 51; cluster: 4.")
  private Integer workers;

  @Option(
      names = "--budget",
      paramLabel = "B",
      description =
          "Units per round. Default: "
              + PAPER_BUDGET
              + "; cluster: "
              + CLUSTER_UNITS_PER_WORKER
              + " per worker; --trace: as recorded.")
  private Integer budget;

  @Option(
      names = "--rounds",
      paramLabel = "K",
      description = "Default: " + DEFAULT_ROUNDS + "; --trace: as recorded.")
  private Long rounds;

  @Option(
      names = "--speeds",
      paramLabel = "LIST",
      split = ",",
      description = "For cluster: units per time, one per worker. Default: 8,4,2,1 in turn.")
  private List<Double> speeds;

  @Option(
      names = "--variation",
      paramLabel = "CV",
      description = "For cluster: standard deviation of a unit over its mean. Default: 0.1.")
  private Double variation;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Replay a round log (docs/monitoring.md) instead of a law; times in ns.")
  private Path trace;

  @Option(
      names = "--scenario",
      paramLabel = "KIND",
      defaultValue = "none",
      description = {
        "none: nothing changes (default);",
        "step: from --at on the means are in reverse;",
        "ramp: they get there gradually from --at to --until;",
        "throttle: the fastest is --factor times slower from --at to before --until;",
        "join: at --at one more worker comes, --factor times slower than the median;",
        "leave: in round --at the fastest is lost with its units."
      })
  private Kind kind;

  @Option(names = "--at", paramLabel = "ROUND", description = "Default: a third of the rounds.")
  private Long at;

  @Option(names = "--until", paramLabel = "ROUND", description = "Default: two thirds.")
  private Long until;

  @Option(names = "--factor", paramLabel = "F", description = "Default: 10.")
  private Double factor;

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

  /** The values of {@code --law}. */
  static final class LawNames extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    LawNames() {
      super(Laws.names());
    }
  }

  /** The scenario, from options that fit together; to be called first. */
  Scenario scenario() throws IOException {
    TimeLaw steady = trace == null ? law() : replayed();
    int units = budget != null ? budget : defaultBudget(steady.workers());
    refuse("--at", at, kind != Kind.NONE, "only with --scenario");
    refuse(
        "--until", until, kind == Kind.RAMP || kind == Kind.THROTTLE, "only with ramp, throttle");
    refuse(
        "--factor", factor, kind == Kind.THROTTLE || kind == Kind.JOIN, "only with throttle, join");
    Scenario scenario = changing(steady, units);
    return scenario.withFixedCost(fixedCost).withCensoring(censored);
  }

  Kind kind() {
    return kind;
  }

  long rounds() {
    if (rounds != null) {
      return rounds;
    }
    return recorded == null ? DEFAULT_ROUNDS : recorded.rounds();
  }

  /** The runtime of the recorded rounds, if that many are simulated; nanoseconds. */
  OptionalLong recordedRuntime() {
    return recorded == null || rounds() != recorded.rounds()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.round(recorded.runtime()));
  }

  private TimeLaw law() {
    boolean cluster = "cluster".equals(law);
    refuse("--speeds", speeds, cluster, "only with --law cluster");
    refuse("--variation", variation, cluster, "only with --law cluster");
    if (!cluster) {
      return Laws.of(law == null ? "linear" : law, workers == null ? 51 : workers);
    }
    return Laws.cluster(clusterSpeeds(), variation == null ? 0.1 : variation);
  }

  private List<Double> clusterSpeeds() {
    refuse("--workers", workers, speeds == null, "not with --speeds, which says how many");
    if (speeds != null) {
      return speeds;
    }
    List<Double> repeated = new ArrayList<>();
    for (int i = 0; i < (workers == null ? CLUSTER_SPEEDS.size() : workers); i++) {
      repeated.add(CLUSTER_SPEEDS.get(i % CLUSTER_SPEEDS.size()));
    }
    return repeated;
  }

  private TimeLaw replayed() throws IOException {
    boolean alone = law == null && workers == null && speeds == null && variation == null;
    refuse("--trace", trace, alone, "not with --law, --workers, --speeds or --variation");
    recorded = RoundLogReader.read(trace);
    // The budget only says into how many units the samples of a round are cut.
    return recorded.law(Math.max(1, budget == null ? recorded.budget() : budget));
  }

  private int defaultBudget(int count) {
    if (recorded != null) {
      return recorded.budget();
    }
    return "cluster".equals(law) ? CLUSTER_UNITS_PER_WORKER * count : PAPER_BUDGET;
  }

  private Scenario changing(TimeLaw steady, int units) {
    long from = at != null ? at : Math.max(1, rounds() / 3);
    long to = until != null ? until : Math.max(from + 1, 2 * rounds() / 3);
    double by = factor != null ? factor : 10;
    if (at != null && (from < 1 || from > rounds())) {
      throw new IllegalArgumentException(
          "Invalid --at: " + from + " (from 1 to the last round, " + rounds() + ")");
    } else if (to <= from) {
      throw new IllegalArgumentException("Invalid --until: " + to + " (after --at, " + from + ")");
    }
    return switch (kind) {
      case NONE -> Scenario.of(steady, units);
      case STEP -> Scenario.of(Drift.step(steady, from), units);
      case RAMP -> Scenario.of(Drift.ramp(steady, from, to), units);
      case THROTTLE ->
          Scenario.of(Drift.throttle(steady, Drift.fastest(steady), by, from, to), units);
      case JOIN ->
          Scenario.of(Drift.withNewcomer(steady, Drift.median(steady), by), units)
              .withJoin(steady.workers(), from);
      case LEAVE -> Scenario.of(steady, units).withLeave(Drift.fastest(steady), from);
    };
  }

  private static void refuse(String name, Object value, boolean fits, String rule) {
    if (value != null && !fits) {
      throw new IllegalArgumentException("Invalid " + name + ": " + value + " (" + rule + ")");
    }
  }
}
