package io.sparkata.lab.simulate;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.lab.PolicyClassPath;
import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Contender.Feedback;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.TimeLaw;
import java.util.Set;
import java.util.stream.IntStream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who allocates, as options. */
final class PolicyOptions {

  /** These search for the least expected time, for which a law needs variances. */
  private static final Set<String> SEARCHING = Set.of("optimum", "explore-then-optimum");

  /** Who stands between the simulator and the policy. */
  enum Via {
    BARE,
    SCHEDULER
  }

  /** How often a worker reports. */
  enum Report {
    WORKER,
    UNIT
  }

  @Option(
      names = "--policy",
      paramLabel = "P",
      defaultValue = "adaptive",
      description =
          "A policy's id, a class name, or a baseline: greedy, oracle, optimum,"
              + " explore-then-optimum. Default: ${DEFAULT-VALUE}.")
  private String policy;

  @Mixin private PolicyClassPath classPath;

  @Option(names = "--width", paramLabel = "C", description = "Factor of the confidence width.")
  private Double width;

  @Option(
      names = "--alpha",
      paramLabel = "A",
      description = "The paper's alpha. Default with ata: twice the largest true mean.")
  private Double alpha;

  @Option(names = "--eta", paramLabel = "E", description = "The paper's eta.")
  private Double eta;

  @Option(
      names = "--prior-units",
      paramLabel = "U",
      description =
          "Tell the policy the true means as priors worth U units. Default: only those that need"
              + " them, optimal-fixed and static.")
  private Double priorUnits;

  @Option(
      names = "--via",
      paramLabel = "WHO",
      description =
          "bare: the policy itself, as in the paper; scheduler: with the cap on newcomers."
              + " Default: bare, with --scenario join: scheduler.")
  private Via via;

  @Option(
      names = "--feedback",
      paramLabel = "PER",
      defaultValue = "worker",
      description = "A report per worker and round, or per unit. Default: ${DEFAULT-VALUE}.")
  private Report feedback;

  String name() {
    return policy;
  }

  Via via(ScenarioOptions.Kind kind) {
    if (via != null) {
      return via;
    }
    return kind == ScenarioOptions.Kind.JOIN ? Via.SCHEDULER : Via.BARE;
  }

  Report feedback() {
    return feedback;
  }

  /** The contender, ready for one run. */
  Contender contender(Scenario scenario, Via through, long seed) {
    if (SEARCHING.contains(policy) && !hasVariances(scenario.law())) {
      throw new IllegalArgumentException(
          "Invalid --policy: "
              + policy
              + " (not with --law "
              + scenario.law().name()
              + ", whose variances are infinite)");
    }
    return switch (policy) {
      case "greedy" -> Contender.greedy();
      case "oracle" -> Contender.oracle();
      case "optimum" -> Contender.optimum();
      case "explore-then-optimum" -> Contender.exploreThenOptimum();
      default -> {
        AllocationPolicy created = classPath.create(policy, settings(scenario, seed));
        Feedback per = feedback == Report.UNIT ? Feedback.PER_UNIT : Feedback.PER_WORKER;
        yield through == Via.SCHEDULER
            ? Contender.scheduled(created, per)
            : Contender.policy(created, per);
      }
    };
  }

  static boolean hasVariances(TimeLaw law) {
    return IntStream.range(0, law.workers())
        .allMatch(i -> Double.isFinite(law.of(i, /* round= */ 1).variance()));
  }

  private PolicySettings settings(Scenario scenario, long seed) {
    PolicySettings settings = PolicySettings.defaults().withSeed(seed);
    if (width != null) {
      settings = settings.withWidth(width);
    }
    if (alpha != null) {
      settings = settings.withAlpha(alpha);
    } else if (policy.equals("ata")) {
      double largest =
          IntStream.range(0, scenario.law().workers())
              .mapToDouble(scenario.law()::baseMean)
              .max()
              .orElseThrow();
      settings = settings.withAlpha(2 * largest);
    }
    if (eta != null) {
      settings = settings.withEta(eta);
    }
    if (priorUnits != null || AllocationPolicies.needsMeans(policy)) {
      settings = settings.withPriors(scenario.trueMeans(priorUnits == null ? 1 : priorUnits));
    }
    return settings;
  }
}
