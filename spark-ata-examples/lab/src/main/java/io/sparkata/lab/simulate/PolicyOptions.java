package io.sparkata.lab.simulate;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.lab.BadArgument;
import io.sparkata.lab.PolicyClassPath;
import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.TimeLaw;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who allocates, as options. */
public final class PolicyOptions {
  /** These search for the least expected time, for which a law needs variances. */
  private static final Set<String> SEARCHING = Set.of("optimum", "explore-then-optimum");

  /** Who stands between the simulator and the policy. */
  enum Via {
    BARE,
    SCHEDULER
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

  String name() {
    return policy;
  }

  Via via(ScenarioOptions.Kind kind) {
    if (via != null) {
      return via;
    }
    return kind == ScenarioOptions.Kind.JOIN ? Via.SCHEDULER : Via.BARE;
  }

  /** The contender, ready for one run. */
  Contender contender(Scenario scenario, Via through, long seed) {
    PolicySettings settings = PolicySettings.defaults().withSeed(seed);
    settings = priorUnits == null ? settings : settings.withPriors(scenario.trueMeans(priorUnits));
    Function<AllocationPolicy, Contender> play =
        through == Via.SCHEDULER ? Contender::scheduled : Contender::policy;
    return contender(policy, scenario, settings, classPath, play);
  }

  /**
   * A baseline or a policy, ready for one run. As in the authors' runs, alpha of {@code ata} is
   * twice the largest true mean. Policies that need the true means get them.
   *
   * @param play makes a contender of a policy
   * @throws BadArgument "Invalid --policy: ..."
   */
  public static Contender contender(
      String name,
      Scenario scenario,
      PolicySettings settings,
      PolicyClassPath classPath,
      Function<AllocationPolicy, Contender> play) {
    TimeLaw law = scenario.law();
    BadArgument.require(
        !SEARCHING.contains(name) || hasVariances(law),
        "--policy",
        name,
        "not with --law " + law.name() + ", whose variances are infinite");
    return switch (name) {
      case "greedy" -> Contender.greedy();
      case "oracle" -> Contender.oracle();
      case "optimum" -> Contender.optimum();
      case "explore-then-optimum" -> Contender.exploreThenOptimum();
      default -> {
        PolicySettings complete = settings;
        if (name.equals("ata")) {
          complete =
              complete.withAlpha(
                  2 * IntStream.range(0, law.workers()).mapToDouble(law::baseMean).max().orElse(0));
        }
        if (AllocationPolicies.needsMeans(name) && settings.priors().isEmpty()) {
          complete = complete.withPriors(scenario.trueMeans(/* units= */ 1));
        }
        yield play.apply(classPath.create(name, complete));
      }
    };
  }

  static boolean hasVariances(TimeLaw law) {
    return IntStream.range(0, law.workers())
        .allMatch(i -> Double.isFinite(law.of(i, /* round= */ 1).variance()));
  }
}
