package io.sparkata.lab.paper;

import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.PolicyClassPath;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import io.sparkata.simulation.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs the paper's experiments on the simulator and writes figures, numbers and a report. The
 * command {@code scripts/ata reproduce-paper}.
 */
@Command(
    name = "reproduce-paper",
    header = "The ATA paper's experiments on the simulator: a report with figures and numbers",
    description = {
      "Runs the experiments of the ATA paper on the simulator, on one thread: the poster's table,"
          + " its Figure 1 for two laws, the mixed laws, and a real CNN's loss curve against the"
          + " allocators' clocks. Writes a report (README.md) with figures (PNG and SVG) and their"
          + " numbers (CSV). 750,000 rounds take about four minutes of a free core."
    })
public final class ReproducePaper extends AtaCommand {
  private static final long QUICK_ROUNDS = 30_000;
  private static final long LEAST_ROUNDS = 200;
  private static final long MOST_ROUNDS = 100_000_000;

  @Option(
      names = "--quick",
      description = "Few rounds, and only the smaller numbers of workers: for CI.")
  private boolean quick;

  @Option(
      names = "--rounds",
      description =
          "Rounds of every run. Default: "
              + RoundGrid.POSTER_ROUNDS
              + ", the poster's; with --quick "
              + QUICK_ROUNDS
              + ".")
  private Long givenRounds;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--loss",
      description = "The loss curve of scripts/ata train-cnn. Default: docs/paper/cnn-loss.csv.")
  private Path loss;

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
    long rounds = givenRounds != null ? givenRounds : defaultRounds();
    requireRange("--rounds", rounds, LEAST_ROUNDS, MOST_ROUNDS);
    List<Method> methods = methods();
    boolean isPublished = !quick && policy == null;
    Path folder = out != null ? out : Project.path(isPublished ? "docs/paper" : "target/paper");
    if (loss == null) {
      loss = Project.path("docs/paper/cnn-loss.csv");
    }
    LossFile losses = LossFile.read(loss);
    if (losses.firstUpdate() > rounds) {
      throw new RunFailure(
          String.format(
              Locale.ROOT,
              "Cannot replay %s: it starts at update %d, after the last round. Set"
                  + " --rounds=%d or more.",
              loss,
              losses.firstUpdate(),
              losses.firstUpdate()));
    }
    createFolder(folder);
    reproduce(methods, rounds, folder, losses);
    say("report: %s", folder.resolve("README.md"));
    return 0;
  }

  private List<Method> methods() {
    ClassLoader loader;
    try {
      loader = classPath.loader();
      classPath.requirePolicy(policy);
    } catch (IllegalArgumentException e) {
      throw invalid(e);
    }
    return Stream.concat(
            Method.BUILT_IN.stream(),
            Stream.ofNullable(policy).map(name -> Method.own(name, loader)))
        .toList();
  }

  private long defaultRounds() {
    return quick ? QUICK_ROUNDS : RoundGrid.POSTER_ROUNDS;
  }

  private static void createFolder(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new RunFailure(
          "Cannot create " + folder + ": " + e + ". Set --out=<a folder to write to>");
    }
  }

  private void reproduce(List<Method> methods, long rounds, Path folder, LossFile losses)
      throws IOException {
    List<List<Experiment>> figures = new ArrayList<>();
    for (String law : List.of("sqrt", "linear")) {
      figures.add(
          runAll(methods, law, quick ? List.of(17, 51) : List.of(17, 51, 153, 459), rounds));
    }
    List<Experiment> mixed =
        runAll(methods, "mixed", quick ? List.of(15, 45) : List.of(15, 45, 150), rounds);
    say("quadratic");
    long[] grid = RoundGrid.of(rounds);
    double[] suboptimality = Quadratic.suboptimality(grid, Experiment.BATCH, seed);
    CsvFiles.writeSuboptimality(folder.resolve("quadratic.csv"), grid, suboptimality);
    for (List<Experiment> figure : figures) {
      writeFigure(folder, "figure1-" + figure.get(0).law(), figure, suboptimality);
    }
    writeFigure(folder, "mixed", mixed, suboptimality);
    Experiment poster =
        figures.get(1).stream()
            .filter(experiment -> experiment.workers() == PosterTable.WORKERS)
            .findFirst()
            .orElseThrow();
    CnnReplay replay = new CnnReplay(poster, losses);
    CsvFiles.writeReplay(folder.resolve("cnn.csv"), replay);
    new Panels(2, methods, PaperCharts.losses(replay)).write(folder, "cnn");
    PosterTable table = new PosterTable(poster);
    PaperReport report = new PaperReport(command(), version(), rounds, seed, cnnCommand());
    Files.writeString(folder.resolve("README.md"), report.text(table, figures, mixed, replay));
  }

  private List<Experiment> runAll(
      List<Method> methods, String law, List<Integer> workerCounts, long rounds) {
    List<Experiment> experiments = new ArrayList<>();
    for (int workers : workerCounts) {
      experiments.add(
          Experiment.run(
              methods,
              law,
              workers,
              rounds,
              seed,
              curve -> say("%s, n = %d: %s", law, workers, curve.method().id())));
    }
    return experiments;
  }

  private static void writeFigure(
      Path folder, String stem, List<Experiment> rows, double[] suboptimality) throws IOException {
    CsvFiles.writeCurves(folder.resolve(stem + ".csv"), rows);
    List<XYChart> charts = new ArrayList<>();
    for (Experiment row : rows) {
      charts.addAll(PaperCharts.row(row, suboptimality));
    }
    new Panels(4, rows.get(0).methods(), charts).write(folder, stem);
  }

  /** Without --out and --loss: where files lie does not change what is in them. */
  private String command() {
    return "scripts/ata reproduce-paper"
        + (quick ? " --quick" : "")
        + (givenRounds != null ? " --rounds " + givenRounds : "")
        + (seed != 1 ? " --seed " + seed : "")
        + (policy != null ? " --policy " + policy : "");
  }

  private static String version() {
    String version = Simulation.class.getPackage().getImplementationVersion();
    return version == null ? "from classes" : version;
  }

  private String cnnCommand() throws IOException {
    String name = loss.getFileName().toString().replaceFirst("\\.csv$", ".json");
    Path json = loss.resolveSibling(name);
    if (!Files.isRegularFile(json)) {
      return "not known, there is no " + name;
    }
    for (String line : Files.readAllLines(json)) {
      if (line.startsWith("  \"command\": \"")) {
        return "`" + line.substring(14, line.lastIndexOf('"')) + "`";
      }
    }
    return "not known, " + name + " has no command";
  }
}
