package io.sparkata.tools.paper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sparkata.simulation.Simulation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.knowm.xchart.XYChart;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs the paper's experiments on the simulator and writes figures, numbers and a report. Started
 * by {@code scripts/reproduce-paper}.
 */
@Command(
    name = "scripts/reproduce-paper",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Runs the experiments of the ATA paper on the simulator, on one thread.")
public final class ReproducePaper implements Callable<Integer> {
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
      defaultValue = "docs/paper/cnn-loss.csv",
      description = "The loss curve of scripts/train-cnn. Default: ${DEFAULT-VALUE}.")
  private Path loss;

  @Option(
      names = "--out",
      description = "Where everything goes. Default: docs/paper; with --quick target/paper.")
  private Path out;

  @Spec private CommandSpec spec;

  private final long start = System.nanoTime();

  /** Exits with 0 when all is written, 1 after one line that says why not, 2 on a bad argument. */
  public static void main(String[] arguments) {
    System.exit(run(new PrintWriter(System.err, /* autoFlush= */ true, UTF_8), arguments));
  }

  static int run(PrintWriter err, String... arguments) {
    return new CommandLine(new ReproducePaper())
        .setErr(err)
        .setExecutionExceptionHandler(
            (error, commandLine, parsed) -> {
              if (error instanceof PaperFailure) {
                commandLine.getErr().println(error.getMessage());
                return 1;
              }
              throw error;
            })
        .execute(arguments);
  }

  @Override
  public Integer call() throws IOException {
    System.setProperty("java.awt.headless", "true");
    long rounds = givenRounds != null ? givenRounds : defaultRounds();
    if (rounds < LEAST_ROUNDS || rounds > MOST_ROUNDS) {
      throw new ParameterException(
          spec.commandLine(),
          String.format(
              Locale.ROOT,
              "Invalid --rounds: %d (from %d to %d)",
              rounds,
              LEAST_ROUNDS,
              MOST_ROUNDS));
    }
    Path folder = out != null ? out : Path.of(quick ? "target/paper" : "docs/paper");
    LossFile losses = LossFile.read(loss);
    if (losses.firstUpdate() > rounds) {
      throw new PaperFailure(
          String.format(
              Locale.ROOT,
              "Cannot replay %s: it starts at update %d, after the last round. Set"
                  + " --rounds=%d or more.",
              loss,
              losses.firstUpdate(),
              losses.firstUpdate()));
    }
    createFolder(folder);
    reproduce(rounds, folder, losses);
    say("report: %s", folder.resolve("README.md"));
    return 0;
  }

  private long defaultRounds() {
    return quick ? QUICK_ROUNDS : RoundGrid.POSTER_ROUNDS;
  }

  private static void createFolder(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new PaperFailure(
          "Cannot create " + folder + ": " + e + ". Set --out=<a folder to write to>");
    }
  }

  private void reproduce(long rounds, Path folder, LossFile losses) throws IOException {
    List<List<Experiment>> figures = new ArrayList<>();
    for (String law : List.of("sqrt", "linear")) {
      figures.add(runAll(law, quick ? List.of(17, 51) : List.of(17, 51, 153, 459), rounds));
    }
    List<Experiment> mixed =
        runAll("mixed", quick ? List.of(15, 45) : List.of(15, 45, 150), rounds);
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
    new Panels(2, PaperCharts.losses(replay)).write(folder, "cnn");
    PosterTable table = new PosterTable(poster);
    PaperReport report = new PaperReport(command(), version(), rounds, seed, cnnCommand());
    Files.writeString(folder.resolve("README.md"), report.text(table, figures, mixed, replay));
  }

  private List<Experiment> runAll(String law, List<Integer> workerCounts, long rounds) {
    List<Experiment> experiments = new ArrayList<>();
    for (int workers : workerCounts) {
      experiments.add(
          Experiment.run(
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
    new Panels(4, charts).write(folder, stem);
  }

  /** Without --out and --loss: where files lie does not change what is in them. */
  private String command() {
    return "scripts/reproduce-paper"
        + (quick ? " --quick" : "")
        + (givenRounds != null ? " --rounds " + givenRounds : "")
        + (seed != 1 ? " --seed " + seed : "");
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

  private void say(String pattern, Object... values) {
    String text = String.format(Locale.ROOT, pattern, values);
    double seconds = (System.nanoTime() - start) / 1e9;
    spec.commandLine().getErr().println(String.format(Locale.ROOT, "[%4.0f s] %s", seconds, text));
  }
}
