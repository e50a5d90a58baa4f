package io.sparkata.examples.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.examples.RunFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** All measurements of a case, as a table, as JSON and as a figure. */
@Command(name = "bench-report", mixinStandardHelpOptions = true, sortOptions = false)
public final class BenchReport implements Callable<Integer> {
  @Option(names = "--case", required = true, description = "Name of the case.")
  private String caseName;

  @Option(names = "--results", required = true, description = "A line of JSON per measurement.")
  private Path results;

  @Option(names = "--out", required = true, description = "Folder for JSON, Markdown and figure.")
  private Path out;

  @Option(names = "--spark", required = true, description = "Version of Spark.")
  private String spark;

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
    ObjectMapper json = new ObjectMapper();
    List<Measurement> measurements = new ArrayList<>();
    for (String line : Files.readAllLines(results)) {
      measurements.add(json.readValue(line, Measurement.class));
    }
    String text = json.writeValueAsString(measurements);
    Files.createDirectories(out);
    Files.writeString(out.resolve(caseName + ".json"), text + "\n");
    String table = table(measurements);
    Files.writeString(out.resolve(caseName + ".md"), provenance() + table);
    (isJson ? System.err : System.out).print(table);
    if (isJson) {
      System.out.println(text);
    }
    return 0;
  }

  private String provenance() throws Exception {
    return String.format(
        Locale.ROOT,
        "# Benchmark: %s%n%n`%s`%n%n%s: %d processors (%s), Java %s, Spark %s.%n",
        caseName,
        command,
        LocalDate.now(ZoneOffset.UTC),
        Runtime.getRuntime().availableProcessors(),
        processor(),
        Runtime.version(),
        spark);
  }

  private static String processor() throws Exception {
    Path info = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(info)) {
      return System.getProperty("os.arch");
    }
    return Files.readAllLines(info).stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }

  private static String table(List<Measurement> measurements) {
    StringBuilder text = new StringBuilder();
    String last = "";
    for (Measurement one : measurements) {
      String workload =
          String.format(
              Locale.ROOT,
              "%n%s rounds at speeds %s: %s, fraction %s, %d iterations",
              one.size(),
              one.speeds().replace(',', ':'),
              one.dataset(),
              one.fraction(),
              one.iterations());
      if (!workload.equals(last)) {
        text.append(workload)
            .append(
                String.format(
                    "%n%n| side | s/iteration | x stock | call s | executor s | worker s | efficiency | calibrations apart | share error | memory MB | weights |%n|---|---|---|---|---|---|---|---|---|---|---|%n"));
        last = workload;
      }
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %.4f | %s | %.1f | %.0f | %.1f | %s | %s | %s | %d | %s |%n",
              one.side(),
              one.medianSecondsPerIteration(),
              figure("%.2f", one.ratioToStock()),
              one.callSeconds(),
              one.executorSeconds(),
              one.workerSeconds(),
              figure("%.2f", one.efficiency()),
              figure("%.2f", one.calibrationDrift()),
              figure("%.2f", one.shareError()),
              one.memoryBytes() >> 20,
              figure("%.1e", one.weightDifference())));
    }
    return text.toString();
  }

  private static String figure(String format, double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
  }
}
