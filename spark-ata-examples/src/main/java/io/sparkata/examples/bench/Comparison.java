package io.sparkata.examples.bench;

import io.sparkata.examples.CachedRows;
import io.sparkata.examples.Medians;
import io.sparkata.examples.TaskTimes;
import io.sparkata.examples.bench.BenchSide.Rows;
import io.sparkata.plugin.AtaRuntime;
import io.sparkata.scheduling.Calibration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import scala.Tuple2;

/**
 * All sides over all workloads on one cluster. Sides that find the rows cached alike take turns,
 * {@code repetitions} times; each has warmed up before. Speculation needs a context of its own,
 * which comes last.
 */
final class Comparison {
  private static final double CALIBRATION_SECONDS = 4;
  private static final int PARTITIONS_PER_SLOT = 8;
  private static final double ROUNDING = 1e-9;

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
  private final Progress progress;
  private final Map<Workload, WorkloadRuns> runs = new LinkedHashMap<>();

  /** What has been measured of one workload. */
  private static final class WorkloadRuns {
    final Map<BenchSide, List<SideRun>> bySide = new EnumMap<>(BenchSide.class);
    Map<String, Double> before = Map.of();
    Map<String, Double> after = Map.of();
    Set<String> executors = Set.of();

    /** Of an application; its executors are not the next one's. */
    void forgetSpeeds() {
      before = Map.of();
      after = Map.of();
    }
  }

  Comparison(Plan plan, Progress progress) {
    this.plan = plan;
    this.progress = progress;
    plan.workloads().forEach(workload -> runs.put(workload, new WorkloadRuns()));
  }

  /**
   * Runs all.
   *
   * @param results gets figures as soon as all sides that find the rows cached alike have had their
   *     turns
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
    runs.values().forEach(WorkloadRuns::forgetSpeeds);
    progress.say("waiting for the executors; slow ones take a minute");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      AtaRuntime runtime = AtaRuntime.of(context.sc()).orElseThrow(Bench::isOff);
      Map<String, Integer> slots = Slots.await(context);
      TaskTimes tasks = TaskTimes.listenTo(context.sc());
      for (Workload workload : plan.workloads()) {
        for (Rows rows : Rows.values()) {
          List<BenchSide> alike = sides.stream().filter(side -> side.rows() == rows).toList();
          if (!alike.isEmpty()) {
            progress.say(
                "%s, fraction %s: caching %s", workload.dataset(), workload.fraction(), rows);
            try (CachedRows cached = cache(workload, rows, context, slots)) {
              takeTurns(alike, cached, workload, runtime, tasks, slots.keySet());
            }
            for (BenchSide side : alike) {
              results.add(measurement(workload, side));
            }
          }
        }
      }
    }
  }

  private static CachedRows cache(
      Workload workload, Rows rows, JavaSparkContext context, Map<String, Integer> slots) {
    IntFunction<JavaRDD<Tuple2<Object, Vector>>> made = workload.on(context);
    int all = slots.values().stream().mapToInt(Integer::intValue).sum();
    return switch (rows) {
      case ONE_PER_SLOT -> CachedRows.onePerSlot(made, slots);
      case EIGHT_PER_SLOT -> CachedRows.asScheduled(made.apply(PARTITIONS_PER_SLOT * all), 1);
      case EIGHT_PER_SLOT_EVERYWHERE ->
          CachedRows.asScheduled(made.apply(PARTITIONS_PER_SLOT * all), slots.size());
    };
  }

  private void takeTurns(
      List<BenchSide> sides,
      CachedRows cached,
      Workload workload,
      AtaRuntime runtime,
      TaskTimes tasks,
      Set<String> executors)
      throws Exception {
    WorkloadRuns measured = runs.get(workload);
    measured.executors = executors;
    for (BenchSide side : sides) {
      if (side != BenchSide.STATIC) { // whose code is the others', and which waits for speeds
        progress.say("%s: warming up", side.id());
        SideRun.warmUp(side, cached, workload);
      }
    }
    boolean isOurs = sides.stream().anyMatch(side -> !side.isStock());
    if (isOurs) {
      measured.before = calibrate(cached, workload);
      CalibratedPolicy.use(measured.before);
    }
    for (int i = 0; i < plan.repetitions(); i++) {
      List<BenchSide> turns = new ArrayList<>(sides);
      Collections.rotate(turns, i); // whoever comes first has the coldest driver
      for (BenchSide side : turns) {
        SideRun run =
            SideRun.measure(
                side, cached, workload, plan.iterations(), new SquaredL2Updater(), runtime, tasks);
        measured.bySide.computeIfAbsent(side, unused -> new ArrayList<>()).add(run);
        progress.say(
            "%s: %.4f s per iteration, %.1f s in all",
            side.id(), run.medianSeconds(), run.callSeconds());
      }
    }
    if (isOurs) {
      measured.after = calibrate(cached, workload);
    }
  }

  private Map<String, Double> calibrate(CachedRows cached, Workload workload) {
    Map<String, Double> speeds =
        Calibration.rowsPerSecond(
            cached.rdd(), workload.gradient(), workload.start(), CALIBRATION_SECONDS);
    progress.say("calibrated, samples per second: %s", rounded(speeds));
    return speeds;
  }

  private static Map<String, Long> rounded(Map<String, Double> speeds) {
    Map<String, Long> rounded = new TreeMap<>();
    speeds.forEach((id, speed) -> rounded.put(id, Math.round(speed)));
    return rounded;
  }

  private Measurement measurement(Workload workload, BenchSide side) {
    WorkloadRuns measured = runs.get(workload);
    List<SideRun> sideRuns = measured.bySide.get(side);
    double seconds = Medians.of(sideRuns, SideRun::medianSeconds);
    double callSeconds = Medians.of(sideRuns, SideRun::callSeconds);
    List<SideRun> stock = measured.bySide.getOrDefault(BenchSide.MLLIB, List.of());
    SideRun last = sideRuns.get(sideRuns.size() - 1);
    boolean isLarge = workload.size().equals(Workload.LARGE);
    double speed = Speeds.sum(measured.before, measured.after);
    boolean isOtherMethod = side == BenchSide.LBFGS;
    return new Measurement(
        plan.caseName(),
        side.id(),
        plan.speeds(),
        workload.dataset(),
        workload.size(),
        workload.fraction(),
        plan.iterations(),
        sideRuns.size(),
        isOtherMethod ? Double.NaN : seconds,
        isOtherMethod ? Double.NaN : ratio(stock, sideRuns),
        callSeconds,
        callSeconds * measured.executors.size(),
        Medians.of(sideRuns, SideRun::workerSeconds),
        isLarge && speed > 0 && !isOtherMethod ? workload.batch() / speed / seconds : Double.NaN,
        Speeds.drift(measured.executors, measured.before, measured.after),
        sideRuns.stream().mapToLong(SideRun::memoryBytes).max().orElse(0),
        Speeds.shares(last.samples()),
        side.isStock() ? Map.of() : Speeds.shares(Speeds.mean(measured.before, measured.after)),
        last.finalLoss(),
        stock.isEmpty() || side.rows() != Rows.ONE_PER_SLOT || isOtherMethod
            ? Double.NaN
            : difference(stock.get(0).weights(), last.weights()),
        /* efficiencyByRound= */ List.of(),
        details(stock, sideRuns));
  }

  /** The real data's: how long until the loss that stock sees at its last update. */
  private Map<String, Double> details(List<SideRun> stock, List<SideRun> sideRuns) {
    if (stock.isEmpty() || !plan.caseName().equals(Bench.REAL_DATA)) {
      return Map.of();
    }
    List<Double> losses = stock.get(0).losses();
    double target = losses.get(losses.size() - 2) * (1 + ROUNDING);
    return Map.of(
        "targetLoss",
        target,
        "secondsToLoss",
        Medians.of(sideRuns, run -> run.secondsToLoss(target)));
  }

  private static double ratio(List<SideRun> stock, List<SideRun> side) {
    int pairs = Math.min(stock.size(), side.size());
    if (pairs == 0) {
      return Double.NaN;
    }
    double[] ratios = new double[pairs];
    for (int i = 0; i < pairs; i++) {
      ratios[i] = stock.get(i).medianSeconds() / side.get(i).medianSeconds();
    }
    return Medians.of(ratios);
  }

  private static double difference(Vector left, Vector right) {
    double largest = 0;
    for (int i = 0; i < left.size(); i++) {
      largest = Math.max(largest, Math.abs(left.apply(i) - right.apply(i)));
    }
    return largest;
  }
}
