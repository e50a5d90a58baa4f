package io.sparkata.lab.bench;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.lab.CachedRows;
import io.sparkata.lab.Progress;
import io.sparkata.lab.TaskTimes;
import io.sparkata.lab.bench.BenchSide.Rows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import scala.Tuple2;

/**
 * Compares all sides on all workloads on one cluster. Sides that use the same cached rows alternate
 * {@code repetitions} times, after a warm-up ({@link WarmUp}). Sides that need another layout than
 * one partition per slot come later and alternate with the references, whose rows stay cached.
 * Speculation needs a SparkContext of its own and comes last.
 */
final class Comparison {
  /**
   * Seconds of calibration per iteration, within the bounds below, if efficiency is measured. A
   * slow executor's slots run for a tenth of the time, in pieces, so a short measurement says
   * little.
   */
  private static final double CALIBRATION_SECONDS_PER_ITERATION = 0.3;

  private static final double SHORTEST_CALIBRATION_SECONDS = 4;

  /** With a warm-up of the same length, more than half the time of a turn of large rounds. */
  private static final double LONGEST_CALIBRATION_SECONDS = 12;

  private static final int PARTITIONS_PER_SLOT = 8;

  /** The sides that later sides alternate with, if they are part of the comparison. */
  private static final Set<BenchSide> REFERENCES = Set.of(BenchSide.MLLIB, BenchSide.ADAPTIVE);

  /** What to compare. */
  record Plan(
      String caseName,
      String speeds,
      List<BenchSide> sides,
      List<Workload> workloads,
      int iterations,
      int repetitions,
      boolean isAllSpeculating) {}

  private final Plan plan;
  private final ComparedFigures figures;
  private final Shares shares;
  private final Progress progress;

  /** A SparkContext with its executors, for all workloads. */
  private record Application(
      JavaSparkContext context, AtaRuntime runtime, Map<String, Integer> slots, TaskTimes tasks) {}

  /** A side and the cached rows that it trains on. */
  private record Turn(BenchSide side, CachedRows cached) {}

  Comparison(Plan plan, Shares shares, Progress progress) {
    this.plan = plan;
    this.figures = new ComparedFigures(plan);
    this.shares = shares;
    this.progress = progress;
  }

  /**
   * Runs the whole comparison.
   *
   * @param results gets the figures of sides that share a layout when all of them are done; a
   *     reference's figures only once, from its first turns
   */
  void run(Results results) throws Exception {
    for (boolean speculates : new boolean[] {false, true}) {
      List<BenchSide> sides =
          plan.sides().stream()
              .filter(side -> speculates == (side.speculates() || plan.isAllSpeculating()))
              .toList();
      if (!sides.isEmpty()) {
        runSides(sides, speculates, results);
      }
    }
  }

  private void runSides(List<BenchSide> sides, boolean speculates, Results results)
      throws Exception {
    SparkConf conf = new SparkConf().set("spark.speculation", Boolean.toString(speculates));
    progress.say("waiting for the executors");
    shares.lift();
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      AtaRuntime runtime = AtaRuntime.of(context.sc()).orElseThrow(Bench::isOff);
      Map<String, Integer> slots = Slots.await(context);
      shares.hold(); // stock Spark places rows by how fast executors take tasks
      TaskTimes tasks = TaskTimes.listenTo(context.sc());
      Application application = new Application(context, runtime, slots, tasks);
      for (Workload workload : plan.workloads()) {
        runWorkload(workload, sides, application, results);
      }
    }
  }

  private void runWorkload(
      Workload workload, List<BenchSide> sides, Application application, Results results)
      throws Exception {
    List<BenchSide> first = finding(Rows.ONE_PER_SLOT, sides);
    if (first.isEmpty()) {
      runLater(workload, sides, /* references= */ List.of(), application, results);
      return;
    }
    try (CachedRows cached = cache(workload, Rows.ONE_PER_SLOT, application)) {
      takeTurns(turns(first, cached), /* references= */ List.of(), workload, application, results);
      List<BenchSide> references = first.stream().filter(REFERENCES::contains).toList();
      runLater(workload, sides, turns(references, cached), application, results);
    }
  }

  private void runLater(
      Workload workload,
      List<BenchSide> sides,
      List<Turn> references,
      Application application,
      Results results)
      throws Exception {
    for (Rows rows : EnumSet.complementOf(EnumSet.of(Rows.ONE_PER_SLOT))) {
      List<BenchSide> own = finding(rows, sides);
      if (!own.isEmpty()) {
        try (CachedRows cached = cache(workload, rows, application)) {
          requireHeld(references); // Spark may have dropped other rows to make room
          takeTurns(turns(own, cached), references, workload, application, results);
        }
      }
    }
  }

  private static List<BenchSide> finding(Rows rows, List<BenchSide> sides) {
    return sides.stream().filter(side -> side.rows() == rows).toList();
  }

  private static List<Turn> turns(List<BenchSide> sides, CachedRows cached) {
    return sides.stream().map(side -> new Turn(side, cached)).toList();
  }

  private static void requireHeld(List<Turn> turns) {
    turns.forEach(turn -> turn.cached().requireHeld());
  }

  private CachedRows cache(Workload workload, Rows rows, Application application) {
    progress.say("%s, fraction %s: caching %s", workload.dataset(), workload.fraction(), rows);
    IntFunction<JavaRDD<Tuple2<Object, Vector>>> made = workload.on(application.context());
    Map<String, Integer> slots = application.slots();
    int all = slots.values().stream().mapToInt(Integer::intValue).sum();
    return switch (rows) {
      case ONE_PER_SLOT -> CachedRows.onePerSlot(made, slots);
      case EIGHT_PER_SLOT -> CachedRows.asScheduled(made.apply(PARTITIONS_PER_SLOT * all), 1);
      case EIGHT_PER_SLOT_EVERYWHERE ->
          CachedRows.asScheduled(made.apply(PARTITIONS_PER_SLOT * all), slots.size());
    };
  }

  /** Measures all sides alternately, and reports {@code own}. */
  private void takeTurns(
      List<Turn> own,
      List<Turn> references,
      Workload workload,
      Application application,
      Results results)
      throws Exception {
    List<BenchSide> sides = own.stream().map(Turn::side).toList();
    WarmUp.run(sides, own.get(0).cached(), workload, shares, progress);
    List<Turn> all = Stream.concat(references.stream(), own.stream()).toList();
    CalibratedTurns runs = new CalibratedTurns(calibrating(all, workload));
    for (int i = 0; i < plan.repetitions(); i++) {
      List<Turn> turns = new ArrayList<>(all);
      Collections.rotate(turns, i); // the first side has the coldest driver
      for (Turn turn : turns) {
        runs.add(turn.side(), measure(turn, workload, application));
        if (workload.hasEfficiency()) { // it is not measured for the others
          runs.calibrate();
        }
      }
    }
    if (!workload.hasEfficiency()) {
      runs.calibrate();
    }
    if (!references.isEmpty()) {
      requireHeld(all); // packed rows may have displaced them
    }
    figures.keepStock(workload, runs);
    for (Turn turn : own) {
      results.add(figures.of(workload, turn.side(), runs, application.slots().keySet()));
    }
  }

  private SideRun measure(Turn turn, Workload workload, Application application) throws Exception {
    SideRun run =
        SideRun.measure(
            turn.side(),
            turn.cached(),
            workload,
            plan.iterations(),
            new SquaredL2Updater(),
            application.runtime(),
            application.tasks());
    progress.say(
        "%s: %.4f s per iteration, %.1f s in all",
        turn.side().id(), run.medianSeconds(), run.callSeconds());
    return run;
  }

  /** Calibrates the executors' speeds; empty if all sides are stock. */
  private Supplier<Map<String, Double>> calibrating(List<Turn> turns, Workload workload) {
    Optional<Turn> ours = turns.stream().filter(turn -> !turn.side().isStock()).findFirst();
    return () -> ours.map(turn -> calibrate(turn.cached(), workload)).orElse(Map.of());
  }

  private Map<String, Double> calibrate(CachedRows cached, Workload workload) {
    Map<String, Double> speeds =
        Calibration.rowsPerSecond(
            cached.rdd(), workload.gradient(), workload.start(), calibrationSeconds(workload));
    progress.say("calibrated, samples per second: %s", rounded(speeds));
    CalibratedPolicy.use(speeds);
    return speeds;
  }

  /** Without efficiency only the side {@code static} needs speeds: the shortest time will do. */
  private double calibrationSeconds(Workload workload) {
    double wanted = workload.hasEfficiency() ? CALIBRATION_SECONDS_PER_ITERATION : 0;
    return Math.min(
        LONGEST_CALIBRATION_SECONDS,
        Math.max(SHORTEST_CALIBRATION_SECONDS, wanted * plan.iterations()));
  }

  private static Map<String, Long> rounded(Map<String, Double> speeds) {
    Map<String, Long> rounded = new TreeMap<>();
    speeds.forEach((id, speed) -> rounded.put(id, Math.round(speed)));
    return rounded;
  }
}
