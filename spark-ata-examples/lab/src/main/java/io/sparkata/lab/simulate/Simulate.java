package io.sparkata.lab.simulate;

import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.BadArgument;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.RunFailure;
import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Simulation;
import io.sparkata.simulation.Totals;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
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
  /** Used workers times all of them: with more, the search for the optimum takes many seconds. */
  private static final long LARGEST_SEARCH = 15_000;

  @Mixin private PolicyOptions policy;

  @Mixin private ScenarioOptions options;

  @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Default: 1.")
  private long seed;

  @Mixin private JsonOption json;

  @Override
  public Integer call() {
    Scenario scenario;
    Simulation simulation;
    Contender contender;
    PolicyOptions.Via via = policy.via(options.kind());
    try {
      scenario = options.scenario();
      contender = policy.contender(scenario, via, seed);
      simulation = new Simulation(scenario, options.rounds(), seed);
    } catch (IllegalArgumentException e) {
      throw new BadArgument(e.getMessage(), e);
    } catch (IOException e) {
      throw new BadArgument("Cannot read --trace: " + e, e);
    }
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put("policy", policy.name());
    setting.put("law", scenario.law().name());
    setting.put("scenario", lower(options.kind()));
    setting.put("workers", scenario.law().workers());
    setting.put("budget", scenario.budget());
    setting.put("rounds", simulation.rounds());
    setting.put("seed", seed);
    setting.put("via", lower(via));
    options
        .recorded()
        .filter(trace -> trace.rounds() == options.rounds())
        .ifPresent(trace -> setting.put("recordedRuntime", Math.round(trace.runtime())));
    Map<String, Totals> clocks = new LinkedHashMap<>();
    try {
      clocks.put(SimulateReport.POLICY, simulation.run(contender));
    } catch (IllegalStateException e) { // of a caller's policy that breaks its contract
      throw new RunFailure(String.valueOf(e.getMessage()), e);
    }
    clocks.put("greedy", simulation.run(Contender.greedy()));
    clocks.put("optimalFixed", simulation.run(Contender.optimalFixed()));
    boolean isSteady = options.kind() == ScenarioOptions.Kind.NONE && options.recorded().isEmpty();
    if (!isSteady) {
      clocks.put("oracle", simulation.run(Contender.oracle()));
    } else if (isAffordable(scenario)) {
      clocks.put("optimum", simulation.run(Contender.optimum()));
    }
    SimulateReport report = new SimulateReport(setting, clocks);
    print(json.isOn() ? JsonOption.line(report.fields()) : report.table());
    return 0;
  }

  private static boolean isAffordable(Scenario scenario) {
    int workers = scenario.law().workers();
    long used = Math.min(workers, scenario.budget());
    return used * (used + workers) <= LARGEST_SEARCH && PolicyOptions.hasVariances(scenario.law());
  }
}
