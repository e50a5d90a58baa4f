package io.sparkata.tools.bench;

import io.sparkata.tools.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** All measurements of a case, as tables, as JSON and as a figure. */
@Command(
    name = "bench-report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Writes what bench has measured as JSON, Markdown and a figure.")
public final class BenchReport implements Callable<Integer> {
  @Option(names = "--case", required = true, description = "Name of the case.")
  private String caseName;

  @Option(names = "--results", required = true, description = "A line of JSON per measurement.")
  private Path results;

  @Option(names = "--out", required = true, description = "Folder for what is written.")
  private Path out;

  @Option(names = "--spark", required = true, description = "Version of Spark.")
  private String spark;

  @Option(names = "--ata", required = true, description = "Version of Spark ATA.")
  private String ata;

  @Option(names = "--commit", defaultValue = "unknown", description = "Of Spark ATA.")
  private String commit;

  @Option(names = "--seed", description = "Of the rows made; none where none are made.")
  private Long seed;

  @Option(names = "--command", required = true, description = "What has been run.")
  private String command;

  @Option(names = "--json", description = "Print the JSON alone on stdout.")
  private boolean isJson;

  /** Exits with 0 when all is written, else with 1 after one line that says why. */
  public static void main(String[] arguments) {
    System.exit(RunFailure.execute(new BenchReport(), arguments));
  }

  @Override
  public Integer call() throws Exception {
    List<Measurement> measurements = new ArrayList<>();
    for (String line : Files.readAllLines(results)) {
      measurements.add(BenchJson.MAPPER.readValue(line, Measurement.class));
    }
    Provenance provenance =
        new Provenance(
            LocalDate.now(ZoneOffset.UTC).toString(),
            Machine.describe(),
            Runtime.version().toString(),
            spark,
            ata,
            commit,
            seed,
            command);
    String json =
        BenchJson.MAPPER.writeValueAsString(
            measurements.stream().map(one -> BenchJson.report(one, provenance)).toList());
    String tables = BenchTables.of(measurements);
    Files.createDirectories(out);
    Files.writeString(out.resolve(caseName + ".json"), json + "\n");
    Files.writeString(
        out.resolve(caseName + ".md"), heading(provenance) + tables + figure(measurements));
    (isJson ? System.err : System.out).print(tables);
    if (isJson) {
      System.out.println(json);
    }
    return 0;
  }

  /** Draws what there is to draw, and gives the link to it. */
  private String figure(List<Measurement> measurements) throws IOException {
    String name = caseName + ".png";
    String title = "Benchmark: " + caseName;
    boolean isDrawn =
        RatioChart.write(out.resolve(name), title, measurements)
            || DriftChart.write(out.resolve(name), title, measurements);
    return isDrawn ? String.format("%n![%s](%s)%n", caseName, name) : "";
  }

  private String heading(Provenance provenance) {
    return String.format(
        "# Benchmark: %s%n%n`%s`%n%n%s. What the columns are: docs/benchmarks/method.md.%n",
        caseName, provenance.command(), provenance.summary());
  }
}
