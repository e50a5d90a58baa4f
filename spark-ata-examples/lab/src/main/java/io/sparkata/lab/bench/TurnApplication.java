package io.sparkata.lab.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.lab.Medians;
import io.sparkata.lab.Progress;
import io.sparkata.lab.Rounds;
import io.sparkata.lab.RunFailure;
import io.sparkata.observation.Observer;
import io.sparkata.report.Totals;
import io.sparkata.spark.SparkListeners;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/**
 * One turn of one side: warms up with the CPU shares lifted, except from a cold start, then holds
 * the executors to their shares, trains, and writes a {@link Turn} as JSON.
 */
public final class TurnApplication {
  private static final double P90 = 0.9;
  private static final long BUS_MILLIS = 60_000;
  private static final String ROUTED = "routed";
  private static final String RESIDENT = "resident";

  /** Of a driver and two executors; more executors compile on the same CPUs. */
  private static final long WARM_UP_NANOS = 12_000_000_000L;

  private static final long WARM_UP_NANOS_PER_EXECUTOR = 4_000_000_000L;

  private final TurnSpec spec;
  private final Progress progress = new Progress();

  private TurnApplication(TurnSpec spec) {
    this.spec = spec;
  }

  /** Exits with 0 if it has trained, else with 1 after one line that says why. */
  public static void main(String[] arguments) throws Exception {
    ObjectMapper json = new ObjectMapper();
    TurnSpec spec = json.readValue(arguments[0], TurnSpec.class);
    try {
      json.writeValue(new File(spec.out()), new TurnApplication(spec).turn());
    } catch (RunFailure failure) {
      System.err.println(failure.getMessage());
      System.exit(1);
    }
    System.exit(0);
  }

  private Turn turn() throws Exception {
    try (SparkSession session = SparkSession.builder().getOrCreate()) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(session.sparkContext());
      Setting setting =
          new Setting(
              context,
              Executors.await(context),
              Side.of(spec.side()),
              spec,
              new Slowdown(spec.throttle(), spec.iterations()));
      Training training = Trainings.of(spec.work(), setting);
      if (spec.isCold()) {
        progress.say("%s: reading the rows", spec.side());
        training.read();
        Shares.change(spec.hold());
      } else {
        warmUp(training, setting);
      }
      return measure(training, setting);
    }
  }

  /** Spark places rows by how fast executors take tasks, so they are cached within the shares. */
  private void warmUp(Training training, Setting setting) throws Exception {
    progress.say("%s, %s: warming up", training.dataset(), spec.side());
    Shares.change(spec.lift());
    training.cache();
    long nanos = Math.max(WARM_UP_NANOS, WARM_UP_NANOS_PER_EXECUTOR * setting.executors().count());
    long start = System.nanoTime();
    do {
      training.rehearse();
    } while (System.nanoTime() - start < nanos);
    training.uncache();
    Shares.change(spec.hold());
    training.cache();
    if (setting.side().isSparkAta()) {
      training.rehearse(); // learns the speeds within the shares
    }
  }

  private Turn measure(Training training, Setting setting) throws Exception {
    SparkContext context = setting.context().sc();
    SparkListeners.awaitListeners(context, BUS_MILLIS);
    LongAdder taskMillis = new LongAdder();
    context.addSparkListener(
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            if (end.taskMetrics() != null) {
              taskMillis.add(end.taskMetrics().executorRunTime());
            }
          }
        });
    Map<String, Double> before = counts(context);
    Turn turn;
    try (Watch watch = new Watch(training, spec.isCold() ? progress : null, spec.side())) {
      StolenTime stolen = StolenTime.now();
      turn = training.train();
      turn.figures().put("stolenShare", StolenTime.now().shareSince(stolen));
      turn.figures().put("storageBytes", (double) watch.mostStorageBytes());
    }
    progress.say("%s: %.1f s, %d iterations", spec.side(), turn.callSeconds(), turn.iterations());
    SparkListeners.awaitListeners(context, BUS_MILLIS); // of tasks, and of the report of a fit
    counts(context).forEach((name, sum) -> turn.figures().put(name, sum - before.get(name)));
    turn.figures().put("workerSeconds", taskMillis.sum() / 1e3);
    turn.figures().put("executorSeconds", turn.callSeconds() * setting.executors().count());
    addTimes(turn);
    checkRouted(turn, training.isRouted() && setting.side().isSparkAta());
    addRounds(turn, training, setting);
    turn.figures().values().removeIf(value -> !Double.isFinite(value));
    return turn;
  }

  /** What Spark ATA and its report have counted so far. */
  private static Map<String, Double> counts(SparkContext context) {
    Map<String, Double> counts = new TreeMap<>(Map.of(ROUTED, 0.0, RESIDENT, 0.0));
    AtaRuntime.of(context)
        .ifPresent(
            runtime -> {
              long rounds = runtime.counters().rounds.get() + runtime.evaluations().rounds.get();
              counts.put(ROUTED, (double) rounds);
              counts.put(RESIDENT, (double) runtime.counters().residentRounds.get());
              Totals totals =
                  runtime.observer().map(Observer::totals).orElse(runtime.reporter().totals());
              counts.put("reportedSeconds", totals.secondsInRounds());
              counts.put("reportedPackSeconds", totals.secondsInPacking());
              counts.put("savedSeconds", totals.saved().seconds());
              counts.put("savedLow", totals.saved().low());
              counts.put("savedHigh", totals.saved().high());
              counts.put("savedUnknown", (double) totals.unknown());
            });
    return counts;
  }

  private void addTimes(Turn turn) {
    if (turn.iterations() < 2) {
      throw new RunFailure(
          "Cannot measure %s: %d iterations (at least 2). Set --iterations to more."
              .formatted(spec.work(), turn.iterations()));
    }
    if (!spec.work().startsWith("cross-validator")) { // whose fits overlap
      List<Double> seconds = Turn.settledSeconds(turn.series().get(Turn.ENDS));
      turn.figures().put(Turn.SECONDS, Medians.of(seconds, Double::doubleValue));
      int p90 = (int) Math.ceil(P90 * seconds.size()) - 1;
      turn.figures().put("p90Seconds", seconds.stream().sorted().toList().get(p90));
    }
    List<Double> losses = turn.series().getOrDefault(Turn.LOSSES, List.of());
    if (!losses.isEmpty()) {
      turn.figures().putIfAbsent("finalLoss", losses.get(losses.size() - 1));
    }
  }

  private void checkRouted(Turn turn, boolean isExpected) {
    double routed = turn.figure(ROUTED);
    if (isExpected == (routed == 0)) {
      throw new RunFailure(
          "Cannot measure %s on %s: Spark ATA answered %.0f iterations, see its log lines above."
              .formatted(spec.side(), spec.work(), routed));
    }
    turn.figures().put("residentShare", turn.figures().remove(RESIDENT) / routed);
  }

  /** Adds the figures of the round log. */
  private void addRounds(Turn turn, Training training, Setting setting) throws IOException {
    Slowdown slowdown = setting.slowdown();
    if (!slowdown.isNone()) {
      slowdown.addSeconds(turn);
    }
    JavaSparkContext context = setting.context();
    String logs = context.getConf().get("spark.ata.roundLog.path", "");
    if (turn.figure(ROUTED) == 0 || logs.isEmpty()) {
      return;
    }
    Rounds rounds = Rounds.read(RoundFigures.lastLog(Path.of(logs), context.sc().applicationId()));
    List<String> ids = setting.executors().ids();
    RoundFigures.add(turn, rounds, ids);
    if (spec.isCold()) {
      RoundFigures.addShares(turn, rounds, ids);
    }
    if (!Double.isNaN(training.batch())) {
      if (slowdown.isNone()) {
        RoundFigures.addEfficiency(turn, training.batch(), rounds);
      } else {
        slowdown.addEfficiency(turn, training.batch(), rounds);
      }
    }
    training.complete(turn, rounds);
  }
}
