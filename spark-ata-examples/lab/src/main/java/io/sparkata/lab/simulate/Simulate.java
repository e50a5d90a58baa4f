package io.sparkata.lab.simulate;

import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.RunFailure;
import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Round;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Simulation;
import io.sparkata.simulation.Totals;
import java.io.IOException;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs a policy through simulated rounds, and the paper's baselines beside it with the same times.
 * The command {@code scripts/ata simulate}.
 */
@Command(
    name = "simulate",
    header = "A policy's clock in the simulator, beside the paper's baselines",
    description = {
      "Runs an allocation policy through simulated rounds, beside greedy, the optimal fixed"
          + " allocation and, where nothing changes, the optimum of the expected round time;"
          + " otherwise the oracle that knows the true means of each round."
    })
public final class Simulate extends AtaCommand {

  private static final long PROGRESS_NANOS = 2_000_000_000L;
  private static final int ROUNDS_BETWEEN_LOOKS = 256;

  /** Used workers times all of them: with more, the search for the optimum takes many seconds. */
  private static final long LARGEST_SEARCH = 15_000;

  @Mixin private PolicyOptions policy;

  @Mixin private ScenarioOptions options;

  @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Default: 1.")
  private long seed;

  @Mixin private JsonOption json;

  private long lastLook = System.nanoTime();

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
      throw invalid(e);
    } catch (IOException e) {
      throw invalid(new IllegalArgumentException("Cannot read --trace: " + e, e));
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
    try {
      report.policy(simulation.run(contender, progress(policy.name(), simulation.rounds())));
    } catch (IllegalStateException e) { // of a caller's policy that breaks its contract
      throw new RunFailure(String.valueOf(e.getMessage()), e);
    }
    baselines(simulation, report);
    print(json.isOn() ? JsonOption.line(report.fields()) : report.table());
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
        say("%s: round %,d of %,d", name, round.index(), rounds);
      }
    };
  }
}
