package io.sparkata.lab.cold;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.lab.Progress;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.bench.Shares;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One side's application: reads the rows at full speed, then trains within the CPU shares. */
@Command(name = "cold", description = "Trains once, by one side.")
public final class ColdApplication implements Callable<Integer> {
  private static final long TICK_MILLIS = 1000;
  private static final ObjectMapper JSON = new ObjectMapper();

  @Option(names = "--work", required = true)
  private String work;

  @Option(names = "--side", required = true)
  private String side;

  @Option(names = "--table", required = true)
  private String table;

  @Option(names = "--iterations", required = true)
  private int iterations;

  @Option(names = "--hold", description = "A command that sets the CPU shares.")
  private String hold;

  @Option(names = "--out", required = true)
  private Path out;

  private final Progress progress = new Progress();

  /** Exits with 0 if it has trained, else with 1 after one line that says why. */
  public static void main(String[] arguments) {
    System.exit(RunFailure.execute(new ColdApplication(), arguments));
  }

  @Override
  public Integer call() throws Exception {
    ColdSide trains = ColdSide.of(side);
    try (SparkSession session = SparkSession.builder().getOrCreate()) {
      SparkContext context = session.sparkContext();
      int partitions = context.defaultParallelism() * trains.partitionsPerSlot();
      ColdTraining training =
          ColdTrainings.of(
              ColdWork.of(work).orElseThrow(),
              session,
              table,
              partitions,
              trains.partitionsPerSlot() > 1,
              iterations);
      progress.say("%s: reading the rows", side);
      training.read();
      new Shares(/* lift= */ null, hold).hold();
      ColdRun run = measure(trains, training, context);
      Files.writeString(out, JSON.writeValueAsString(run));
    }
    return 0;
  }

  private ColdRun measure(ColdSide trains, ColdTraining training, SparkContext context)
      throws Exception {
    Thread live = new Thread(() -> tell(training), "progress");
    live.setDaemon(true);
    live.start();
    long millis = System.currentTimeMillis();
    long nanos = System.nanoTime();
    double[] model = training.train();
    double seconds = (System.nanoTime() - nanos) / 1e9;
    live.interrupt();
    List<Double> ends = training.ends(millis, nanos);
    progress.say("%s: %.1f s, %d iterations", side, seconds, ends.size());
    long routed =
        AtaRuntime.of(context)
            .map(runtime -> runtime.counters().rounds.get() + runtime.evaluations().rounds.get())
            .orElse(0L);
    if (trains.isSparkAta() == (routed == 0)) {
      throw new RunFailure(
          "Cannot measure %s: Spark ATA answered %d iterations, see its log lines above."
              .formatted(side, routed));
    }
    return new ColdRun(
        side, seconds, ends, routed, model, trains.isSparkAta() ? shares(context) : List.of());
  }

  /** Prints how many iterations have ended, until it is interrupted. */
  private void tell(ColdTraining training) {
    int told = -1;
    while (true) {
      try {
        Thread.sleep(TICK_MILLIS);
      } catch (InterruptedException end) {
        return;
      }
      int ended = training.ended();
      if (ended != told) {
        progress.say(
            "%s: %s", side, ended == 0 ? "before the first iteration" : ended + " iterations");
        told = ended;
      }
    }
  }

  /** Of the only training in the round log. */
  private static List<Map<String, Long>> shares(SparkContext context) throws IOException {
    Path folder = Path.of(context.getConf().get("spark.ata.roundLog.path"));
    Path log;
    try (Stream<Path> logs = Files.list(folder)) {
      log = logs.findFirst().orElseThrow();
    }
    List<Map<String, Long>> shares = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      JsonNode round = JSON.readTree(line);
      if (!round.path("repeated").asBoolean()) {
        Map<String, Long> byHost = new TreeMap<>();
        round
            .get("workers")
            .forEach(one -> byHost.put(one.get("host").asText(), one.get("samples").asLong()));
        shares.add(byHost);
      }
    }
    return shares;
  }
}
