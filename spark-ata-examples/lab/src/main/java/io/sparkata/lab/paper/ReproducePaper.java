package io.sparkata.lab.paper;

import io.sparkata.allocation.PolicySettings;
import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.Charts;
import io.sparkata.lab.Folders;
import io.sparkata.lab.PolicyClassPath;
import io.sparkata.lab.Project;
import io.sparkata.lab.simulate.PolicyOptions;
import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Laws;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import org.knowm.xchart.XYChart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the paper's experiments on the simulator. The command {@code reproduce-paper}. */
@Command(
    name = "reproduce-paper",
    header = "The ATA paper's experiments on the simulator: a report with figures and numbers",
    description = {
      "Runs the experiments of the ATA paper on the simulator, on one thread: the poster's table,"
          + " its Figure 1 for two laws, the mixed laws, and a real CNN's loss curve"
          + " (docs/paper/cnn-loss.csv) against the allocators' clocks. Writes results.md with"
          + " figures (PNG) and their numbers (CSV). 750,000 rounds take about four minutes of a"
          + " free core."
    })
public final class ReproducePaper extends AtaCommand {
  private static final long QUICK_ROUNDS = 30_000;

  @Option(
      names = "--quick",
      description = "Few rounds, and only the smaller numbers of workers: for CI.")
  private boolean quick;

  @Option(
      names = "--rounds",
      description = "Rounds of every run. Default: 750000, the poster's; with --quick 30000.")
  private Long givenRounds;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--policy",
      paramLabel = "CLASS",
      description = "A policy class of yours, beside the built-in ones in each table and figure.")
  private String policy;

  @Mixin private PolicyClassPath classPath;

  @Option(
      names = "--out",
      description =
          "Where everything goes. Default: docs/paper; with --quick or --policy target/paper.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    long rounds = givenRounds != null ? givenRounds : quick ? QUICK_ROUNDS : PosterTable.ROUNDS;
    requireRange("--rounds", rounds, 200, 100_000_000);
    List<Method> methods = new ArrayList<>(Method.BUILT_IN);
    classPath.requirePolicy(policy);
    if (policy != null) {
      methods.add(Method.of(policy));
    }
    boolean isPublished = !quick && policy == null;
    Path folder = out != null ? out : Project.path(isPublished ? "docs/paper" : "target/paper");
    Folders.create(folder, "--out=<a folder to write to>");
    reproduce(methods, rounds, folder);
    say("report: %s", folder.resolve("results.md"));
    return 0;
  }

  private void reproduce(List<Method> methods, long rounds, Path folder) throws IOException {
    Map<String, List<Experiment>> figures = new LinkedHashMap<>();
    figures.put("figure1-sqrt", runAll(methods, "sqrt", rounds, 17, 51, 153, 459));
    figures.put("figure1-linear", runAll(methods, "linear", rounds, 17, 51, 153, 459));
    figures.put("mixed", runAll(methods, "mixed", rounds, 15, 45, 150));
    say("quadratic");
    NavigableMap<Long, Double> quadratic =
        Quadratic.suboptimality(Curve.grid(rounds), Experiment.BATCH, seed);
    StringBuilder csv = new StringBuilder("round,suboptimality\n");
    quadratic.forEach(
        (round, value) -> csv.append(String.format(Locale.ROOT, "%d,%.6g\n", round, value)));
    Files.writeString(folder.resolve("quadratic.csv"), csv);
    for (Map.Entry<String, List<Experiment>> figure : figures.entrySet()) {
      Experiment.writeCsv(folder.resolve(figure.getKey() + ".csv"), figure.getValue());
      List<XYChart> charts = new ArrayList<>();
      for (Experiment row : figure.getValue()) {
        charts.addAll(PaperCharts.losses(row.title(), "f(x) - f*", row, quadratic::get));
        charts.addAll(PaperCharts.means(row.title(), row));
      }
      Charts.write(folder.resolve(figure.getKey() + ".png"), 4, Method.legend(methods), charts);
    }
    Experiment poster =
        figures.get("figure1-linear").stream()
            .filter(experiment -> experiment.workers() == PosterTable.WORKERS)
            .findFirst()
            .orElseThrow();
    CnnReplay replay = CnnReplay.of(poster, Project.path("docs/paper/cnn-loss.csv"));
    Charts.write(
        folder.resolve("cnn.png"),
        2,
        Method.legend(methods),
        PaperCharts.losses("CNN, " + poster.title(), "training loss", poster, replay::lossAt));
    String made = "`%s` (Spark ATA %s, seed %d)".formatted(command(), Project.version(), seed);
    Files.writeString(folder.resolve("results.md"), PaperReport.text(made, figures, replay));
  }

  private List<Experiment> runAll(List<Method> methods, String law, long rounds, int... workers) {
    PolicySettings settings = PolicySettings.defaults().withSeed(seed);
    List<Experiment> experiments = new ArrayList<>();
    for (int n : quick ? Arrays.copyOf(workers, 2) : workers) {
      Scenario scenario = Scenario.of(Laws.of(law, n), Experiment.BATCH);
      List<Curve> curves = new ArrayList<>();
      for (Method method : methods) {
        Contender contender =
            method.equals(Method.OPTIMAL_FIXED)
                ? Contender.optimalFixed()
                : PolicyOptions.contender(
                    method.id(), scenario, settings, classPath, Contender::policy);
        curves.add(Curve.record(method, contender, new Simulation(scenario, rounds, seed)));
        say("%s, n = %d: %s", law, n, method.id());
      }
      experiments.add(new Experiment(law, n, curves));
    }
    return experiments;
  }

  /** Without --out: where files lie does not change what is in them. */
  private String command() {
    return "scripts/ata reproduce-paper"
        + (quick ? " --quick" : "")
        + (givenRounds != null ? " --rounds " + givenRounds : "")
        + (seed != 1 ? " --seed " + seed : "")
        + (policy != null ? " --policy " + policy : "");
  }
}
