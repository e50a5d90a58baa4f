package io.sparkata.tools.simulate;

import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Round;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Simulation;
import io.sparkata.simulation.Totals;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs a policy through simulated rounds, and the paper's baselines beside it with the same times.
 * Started by {@code scripts/simulate}.
 */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    synopsisHeading = "",
    customSynopsis = "",
    description = {
      "Runs an allocation policy through simulated rounds, beside greedy, the optimal fixed"
          + " allocation and, where nothing changes, the optimum of the expected round time;"
          + " otherwise the oracle that knows the true means of each round."
    })
public final class Simulate implements Callable<Integer> {

  private static final long PROGRESS_NANOS = 2_000_000_000L;
  private static final int ROUNDS_BETWEEN_LOOKS = 256;

  /** Used workers times all of them: with more, the search for the optimum takes many seconds. */
  private static final long LARGEST_SEARCH = 15_000;

  @Mixin private PolicyOptions policy;

  @Mixin private ScenarioOptions options;

  @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Default: 1.")
  private long seed;

  @Option(names = "--json", description = "One JSON object on stdout.")
  private boolean json;

  @Spec private CommandSpec spec;

  private long lastLook = System.nanoTime();

  /** Exits with 0, with 2 on bad arguments, with 1 if something else went wrong. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    CommandLine commandLine =
        new CommandLine(new Simulate()).setCaseInsensitiveEnumValuesAllowed(true);
    return commandLine
        .setParameterExceptionHandler(
            (error, arguments) -> {
              error.getCommandLine().getErr().println(error.getMessage());
              error.getCommandLine().getErr().println("See: scripts/simulate --help");
              return CommandLine.ExitCode.USAGE;
            })
        .setExecutionExceptionHandler(
            (error, line, parsed) -> {
              if (error instanceof IllegalStateException) {
                line.getErr().println(error.getMessage());
                return CommandLine.ExitCode.SOFTWARE;
              }
              throw error;
            });
  }

  @Override
  public Integer call() {
    SimulateReport report = new SimulateReport();
    Scenario scenario;
    Simulation simulation;
    Contender contender;
    PolicyOptions.Via via;
    try {
      scenario = options.scenario();
      simulation = new Simulation(scenario, options.rounds(), seed);
      via = policy.via(options.kind());
      contender = policy.contender(scenario, via, seed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), "Cannot read --trace: " + e, e);
    }
    report.setting("policy", policy.name());
    report.setting("law", scenario.law().name());
    report.setting("scenario", lower(options.kind()));
    report.setting("workers", scenario.law().workers());
    report.setting("budget", scenario.budget());
    report.setting("rounds", simulation.rounds());
    report.setting("seed", seed);
    report.setting("via", lower(via));
    report.setting("feedback", lower(policy.feedback()));
    options.recordedRuntime().ifPresent(nanos -> report.setting("recordedRuntime", nanos));
    report.policy(simulation.run(contender, progress(policy.name(), simulation.rounds())));
    baselines(simulation, report);
    if (json) {
      spec.commandLine().getOut().println(report.json());
    } else {
      spec.commandLine().getOut().print(report.table());
    }
    spec.commandLine().getOut().flush();
    return CommandLine.ExitCode.OK;
  }

  private void baselines(Simulation simulation, SimulateReport report) {
    report.baseline("greedy", run(simulation, "greedy", Contender.greedy()));
    report.baseline("optimalFixed", run(simulation, "optimal-fixed", Contender.optimalFixed()));
    if (isSteady(simulation.scenario())) {
      if (isAffordable(simulation.scenario())) {
        report.baseline("optimum", run(simulation, "optimum", Contender.optimum()));
      }
    } else {
      report.baseline("oracle", run(simulation, "oracle", Contender.oracle()));
    }
  }

  private Totals run(Simulation simulation, String name, Contender contender) {
    return simulation.run(contender, progress(name, simulation.rounds()));
  }

  private boolean isSteady(Scenario scenario) {
    return options.kind() == ScenarioOptions.Kind.NONE && !scenario.law().name().equals("trace");
  }

  private static boolean isAffordable(Scenario scenario) {
    int workers = scenario.law().workers();
    long used = Math.min(workers, scenario.budget());
    return used * (used + workers) <= LARGEST_SEARCH && PolicyOptions.hasVariances(scenario.law());
  }

  /** A line on stderr every two seconds. */
  private Consumer<Round> progress(String name, long rounds) {
    return round -> {
      if (round.index() % ROUNDS_BETWEEN_LOOKS == 0
          && System.nanoTime() - lastLook > PROGRESS_NANOS) {
        lastLook = System.nanoTime();
        spec.commandLine()
            .getErr()
            .printf(Locale.ROOT, "%s: round %,d of %,d%n", name, round.index(), rounds);
        spec.commandLine().getErr().flush();
      }
    };
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
