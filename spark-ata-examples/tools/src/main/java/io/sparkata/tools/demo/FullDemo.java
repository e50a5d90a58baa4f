package io.sparkata.tools.demo;

import io.sparkata.tools.CachedRows;
import io.sparkata.tools.Flights;
import io.sparkata.tools.IterationClock;
import io.sparkata.tools.Progress;
import io.sparkata.tools.Rounds;
import io.sparkata.tools.bench.Calibration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import scala.Tuple2;

/**
 * The long comparison: stock MLlib, Spark ATA's uniform and its adaptive policy, equally many
 * iterations each, in one application and under the same conditions.
 *
 * <p>Each side finds the same rows cached, one partition per slot, and counted, and its code warm.
 * Speeds come from two calibrations of the kernel, one before the first side and one after the
 * last, with all executors busy and no policy involved.
 */
final class FullDemo {
  /** The first round that counts: the policy has seen a few rounds by then. */
  static final int SETTLED = 10;

  private static final List<DemoSide> SIDES =
      List.of(DemoSide.MLLIB, DemoSide.UNIFORM, DemoSide.ADAPTIVE);
  private static final double CALIBRATION_SECONDS = 5;
  private static final double LARGEST_DRIFT = 0.1;

  private final DemoSettings settings;
  private final DemoSide.Problem problem;
  private final Path png;
  private final Progress progress;

  /** What the clock and the logs say of one side. */
  private record Measured(
      double secondsPerIteration,
      double callSeconds,
      Rounds rounds,
      double workerSeconds,
      double finalLoss,
      Vector weights) {}

  FullDemo(DemoSettings settings, Path png, Progress progress) {
    this.settings = settings;
    this.problem = DemoSide.Problem.of(settings, settings.iterations(), /* convergenceTol= */ 0);
    this.png = png;
    this.progress = progress;
  }

  /** Reads as many flights as the comparison wants. */
  Flights flights(String data) throws IOException {
    return EnoughFlights.read(data, settings.rows(), settings.features(), progress);
  }

  FullReport compare(DemoSession session, Flights flights) throws Exception {
    Map<DemoSide, Measured> measured = new EnumMap<>(DemoSide.class);
    Map<String, Double> before;
    Map<String, Double> after;
    progress.say("caching the rows, one partition for each slot");
    try (CachedRows cached =
        CachedRows.onePerSlot(
            flights.on(session.context(), settings.features()), session.slots())) {
      before = calibrate(cached);
      for (DemoSide side : SIDES) {
        cached.requireHeld();
        measured.put(side, measure(side, cached, session));
      }
      cached.requireHeld();
      after = calibrate(cached);
    }
    Map<String, Double> speeds = mean(before, after);
    Rounds adaptive = measured.get(DemoSide.ADAPTIVE).rounds();
    new SharesChart(
            "Samples per executor and round: adaptive", session.executors(), adaptive.samples())
        .levels("by calibrated speed", SharesChart.proportional(speeds, flights.rows()))
        .write(png);
    progress.say("figure: %s", png);
    return new FullReport(
        runs(measured, speeds), session.executors(), adaptive.meanFixedSecondsFrom(SETTLED));
  }

  private Measured measure(DemoSide side, CachedRows cached, DemoSession session) throws Exception {
    progress.say("%s: %d iterations to warm up", side.id(), settings.warmUp());
    side.train(cached.rdd(), problem.withIterations(settings.warmUp()), new SquaredL2Updater());
    progress.say("%s: %d iterations", side.id(), problem.iterations());
    session.tasks().reset();
    IterationClock clock = new IterationClock(new SquaredL2Updater());
    long begin = System.nanoTime();
    Tuple2<Vector, double[]> result = side.train(cached.rdd(), problem, clock);
    double callSeconds = (System.nanoTime() - begin) / 1e9;
    double[] losses = result._2();
    progress.say(
        "%s: %.1f s, %.3f s per iteration",
        side.id(), callSeconds, clock.medianSecondsFrom(SETTLED));
    if (side.isStock() && session.tasks().tasksAway() > 0) {
      progress.say(
          "%s: %d tasks ran away from their cached rows", side.id(), session.tasks().tasksAway());
    }
    return new Measured(
        clock.medianSecondsFrom(SETTLED),
        callSeconds,
        side.isStock()
            ? Rounds.fixed(cached.rowsByExecutor(), losses.length)
            : Rounds.read(session.roundLog(session.calls())),
        session.tasks().workerSeconds(),
        losses[losses.length - 1],
        result._1());
  }

  private Map<String, Double> calibrate(CachedRows cached) {
    progress.say("calibrating all executors at once");
    Map<String, Double> speeds =
        Calibration.rowsPerSecond(
            cached.rdd(), new LogisticGradient(), problem.start(), CALIBRATION_SECONDS);
    speeds.forEach((id, speed) -> progress.say("  executor %s: %,.0f samples/s", id, speed));
    return speeds;
  }

  /** The speeds to compare with; says so where the two calibrations disagree. */
  private Map<String, Double> mean(Map<String, Double> before, Map<String, Double> after) {
    Map<String, Double> means = new TreeMap<>();
    before.forEach(
        (id, first) -> {
          double last = after.get(id);
          means.put(id, (first + last) / 2);
          if (Math.abs(last / first - 1) > LARGEST_DRIFT) {
            progress.say(
                "executor %s was calibrated at %,.0f samples/s before and %,.0f after: the mean"
                    + " counts",
                id, first, last);
          }
        });
    return means;
  }

  private static List<DemoRun> runs(Map<DemoSide, Measured> measured, Map<String, Double> speeds) {
    Vector mllib = measured.get(DemoSide.MLLIB).weights();
    List<DemoRun> runs = new ArrayList<>();
    measured.forEach(
        (side, figures) ->
            runs.add(
                new DemoRun(
                    side.id(),
                    figures.secondsPerIteration(),
                    figures.callSeconds(),
                    figures.rounds().packSeconds(),
                    figures.rounds().meanFrom(SETTLED),
                    speeds,
                    figures.workerSeconds(),
                    figures.finalLoss(),
                    DemoRun.weightDifference(mllib, figures.weights()))));
    return runs;
  }
}
