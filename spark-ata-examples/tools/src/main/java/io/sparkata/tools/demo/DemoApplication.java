package io.sparkata.tools.demo;

import io.sparkata.tools.Flights;
import io.sparkata.tools.JsonOption;
import io.sparkata.tools.Progress;
import io.sparkata.tools.RunFailure;
import io.sparkata.tools.bench.Shares;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The demo's Spark application: logistic regression on real flights with stock MLlib and with Spark
 * ATA, on the uneven cluster that {@link Demo} starts.
 */
@Command(name = "demo-application")
public final class DemoApplication implements Callable<Integer> {
  @Option(names = "--data", required = true, description = "The flights, a Parquet file.")
  private String data;

  @Mixin private DemoSettings settings;

  @Option(
      names = "--cpu-shares",
      required = true,
      split = ",",
      description = "Relative CPU shares of the hosts 127.0.0.2, 127.0.0.3 and so on.")
  private List<Double> cpuShares;

  @Option(names = "--png", required = true, description = "Where the figure goes.")
  private Path png;

  @Option(names = "--json-file", required = true, description = "Where the figures go as JSON.")
  private Path jsonFile;

  @Option(names = "--lift", description = "A command that lets all executors run at full speed.")
  private String lift;

  @Option(names = "--hold", description = "One that holds them to their CPU shares again.")
  private String hold;

  /** Exits with 0 if all sides have run, else with 1 after one line that says why. */
  public static void main(String[] arguments) {
    System.exit(RunFailure.execute(new DemoApplication(), arguments));
  }

  @Override
  public Integer call() throws Exception {
    // What cannot work here should not fail at the end.
    UnevenExecutors none = new UnevenExecutors(Map.of("0", 1.0));
    new SharesChart("none", none, List.of(Map.of("0", 1L))).write(png);
    DemoReport report = settings.isFull() ? full() : quick();
    System.out.print(report.table());
    Files.writeString(jsonFile, JsonOption.line(Map.of("runs", report.runs())));
    return 0;
  }

  private DemoReport full() throws Exception {
    Progress progress = new Progress();
    FullDemo demo = new FullDemo(settings, png, progress);
    Flights flights = demo.flights(data);
    try (DemoSession session = DemoSession.start(cpuShares, progress)) {
      return demo.compare(session, flights);
    }
  }

  private DemoReport quick() throws Exception {
    Progress progress = new Progress();
    QuickDemo demo = new QuickDemo(settings, new Shares(lift, hold), png, progress);
    Flights flights = demo.flights(data);
    try (DemoSession session = DemoSession.start(cpuShares, progress)) {
      return demo.compare(session, flights);
    }
  }
}
