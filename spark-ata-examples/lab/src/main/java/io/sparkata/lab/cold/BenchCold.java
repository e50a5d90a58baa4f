package io.sparkata.lab.cold;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.lab.AtaCommand;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.Launch;
import io.sparkata.lab.Medians;
import io.sparkata.lab.Project;
import io.sparkata.lab.bench.Machine;
import io.sparkata.lab.bench.SparkHome;
import io.sparkata.lab.cluster.AvailableMemory;
import io.sparkata.lab.cluster.RelativeSpeeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Whole calls from a cold start, several times: the table of README. */
@Command(
    name = "bench-cold",
    header = "Whole calls from a cold start, several times",
    description = {
      "Starts uneven executors and trains by Spark as it comes, by Spark with eight partitions per"
          + " slot and by Spark ATA, in turns, another side first each time. Each turn is a new"
          + " application, as in scripts/demo. Prints the medians, and writes them with all turns as"
          + " WORK-SPEEDS.json."
    })
public final class BenchCold extends AtaCommand {
  private static final String FOLDER = "target/bench/cold";
  private static final int ROWS = 400_000;

  @Parameters(
      paramLabel = "WORK",
      description = "flights, flights-sgd, logistic-dense, linear-svc or own-gradient.")
  private String work;

  @Option(
      names = "--speeds",
      defaultValue = "8,4,2,1",
      paramLabel = "LIST",
      description = "Relative speeds, one executor each. Default: ${DEFAULT-VALUE}.")
  private String speeds;

  @Option(
      names = "--rows",
      defaultValue = "" + ROWS,
      paramLabel = "N",
      description = "Flights, for works of flights. Default: ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "Iterations of each turn. Default: as the work has them, 15 to 40.")
  private Integer iterations;

  @Option(
      names = "--repetitions",
      defaultValue = "3",
      paramLabel = "N",
      description = "Turns of each side. Default: ${DEFAULT-VALUE}.")
  private int repetitions;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for the result. Default: " + FOLDER + ".")
  private Path out;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException {
    ColdWork trained =
        ColdWork.of(work)
            .orElseThrow(
                () -> invalid("work", work, "one of " + String.join(", ", ColdWork.ids())));
    requireRange("--rows", rows, 1000, ColdCluster.MOST_ROWS);
    requireRange("--repetitions", repetitions, 1, 99);
    int each = iterations == null ? trained.iterations() : iterations;
    requireRange("--iterations", each, 4, 9999);
    RelativeSpeeds parsed = parsed();
    Path folder = Files.createDirectories(Project.path(FOLDER));
    Path sparkHome = Launch.sparkHome();
    Path table =
        trained.isOfFlights()
            ? ColdCluster.table(folder, rows, parsed.count(), line -> say("%s", line))
            : folder;
    Map<ColdSide, List<ColdRun>> runs = takeTurns(trained, parsed, table, each);
    Map<String, Object> result = result(trained, each, runs, SparkHome.version(sparkHome));
    Path file =
        Files.createDirectories(out == null ? folder : out)
            .resolve(work + "-" + speeds.replace(',', '-') + ".json");
    Files.writeString(
        file,
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(result) + "\n");
    print(json.isOn() ? JsonOption.line(result) : table(runs));
    return 0;
  }

  private RelativeSpeeds parsed() {
    try {
      return RelativeSpeeds.parse(speeds);
    } catch (IllegalArgumentException error) {
      throw invalid(error);
    }
  }

  private Map<ColdSide, List<ColdRun>> takeTurns(
      ColdWork trained, RelativeSpeeds parsed, Path table, int each) throws IOException {
    Map<ColdSide, List<ColdRun>> runs = new EnumMap<>(ColdSide.class);
    int mib = AvailableMemory.now().perExecutor(parsed.count());
    try (ColdCluster cluster = ColdCluster.start(Project.path(FOLDER), parsed, mib)) {
      for (int i = 0; i < repetitions; i++) {
        List<ColdSide> turns = new ArrayList<>(List.of(ColdSide.values()));
        Collections.rotate(turns, i);
        for (ColdSide side : turns) {
          ColdRun run = cluster.run(trained, side, table, each);
          say("%s: %s: %.1f s", work, side.id(), run.callSeconds());
          runs.computeIfAbsent(side, unused -> new ArrayList<>()).add(run);
        }
      }
    }
    return runs;
  }

  private Map<String, Object> result(
      ColdWork trained, int each, Map<ColdSide, List<ColdRun>> runs, String sparkVersion)
      throws IOException {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("work", work);
    result.put("title", trained.title());
    result.put("speeds", speeds);
    if (trained.isOfFlights()) {
      result.put("rows", rows);
    }
    result.put("maxIterations", each);
    ColdRun spark = runs.get(ColdSide.SPARK).get(0);
    List<Map<String, Object>> sides = new ArrayList<>();
    runs.forEach((side, own) -> sides.add(figures(side, own, spark)));
    result.put("sides", sides);
    result.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    result.put("machine", Machine.describe());
    result.put("javaVersion", Runtime.version().toString());
    result.put("sparkVersion", sparkVersion);
    result.put("ataVersion", Project.version());
    result.put("commit", Project.commit());
    return result;
  }

  private static Map<String, Object> figures(ColdSide side, List<ColdRun> own, ColdRun spark) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("side", side.id());
    figures.put("medianCallSeconds", Medians.of(own, ColdRun::callSeconds));
    figures.put("callSeconds", own.stream().map(ColdRun::callSeconds).toList());
    figures.put("medianSecondsPerIteration", Medians.of(own, ColdRun::secondsPerIteration));
    figures.put("iterations", own.stream().map(run -> run.ends().size()).toList());
    figures.put("routed", own.stream().map(ColdRun::routed).toList());
    figures.put(
        "maxWeightDifference",
        own.stream().mapToDouble(run -> run.differenceFrom(spark)).max().orElseThrow());
    return figures;
  }

  private static String table(Map<ColdSide, List<ColdRun>> runs) {
    StringBuilder text = new StringBuilder();
    runs.forEach(
        (side, own) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "%-30s %8.1f s  %8.3f s per iteration%n",
                    side.title(),
                    Medians.of(own, ColdRun::callSeconds),
                    Medians.of(own, ColdRun::secondsPerIteration))));
    return text.toString();
  }
}
