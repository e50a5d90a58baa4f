package io.sparkata.tools.demo;

import io.sparkata.tools.CachedRows;
import io.sparkata.tools.Flights;
import io.sparkata.tools.Progress;
import io.sparkata.tools.Rounds;
import io.sparkata.tools.bench.Calibration;
import io.sparkata.tools.bench.Shares;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import scala.Tuple2;

/**
 * The short comparison: each side trains for the same time. Before the first, MLlib and Spark ATA
 * train a few rounds, equally many, while all executors run at full speed, so that the code is
 * compiled.
 *
 * <p>{@code adaptive} knows no speed when it starts. A training of Spark ATA leaves its measured
 * speeds to later ones with the same kernel. Therefore the warm-up trains another model, a support
 * vector machine, and {@code uniform} comes after {@code adaptive}.
 */
final class QuickDemo {
  /** More than any budget has time for. */
  private static final int MOST_ITERATIONS = 1_000;

  /** Updates of mllib whose weights others are compared with: they take memory. */
  private static final int MOST_KEPT = 100;

  private static final int PARTITIONS_PER_SLOT = 8;
  private static final int WARM_UP = 4;
  private static final double WARM_UP_SECONDS = 1;

  private final DemoSettings settings;
  private final DemoSide.Problem problem;
  private final Shares shares;
  private final Path png;
  private final Progress progress;
  private final Map<DemoSide, QuickRun> runs = new EnumMap<>(DemoSide.class);
  private BudgetUpdater mllib;

  /**
   * @param shares lifted when the demo starts
   */
  QuickDemo(DemoSettings settings, Shares shares, Path png, Progress progress) {
    this.settings = settings;
    this.problem = DemoSide.Problem.of(settings, MOST_ITERATIONS, BudgetUpdater.TOLERANCE);
    this.shares = shares;
    this.png = png;
    this.progress = progress;
  }

  Flights flights(String data) throws IOException {
    progress.say("reading the flights");
    Flights flights =
        Flights.read(data, settings.rows() == 0 ? DemoSettings.QUICK_ROWS : settings.rows());
    progress.say(
        "%,d flights, %d features each, %,d weights",
        flights.rows(), settings.features().nonZeros(), problem.size());
    return flights;
  }

  DemoReport compare(DemoSession session, Flights flights) throws Exception {
    IntFunction<JavaRDD<Tuple2<Object, Vector>>> rows =
        flights.on(session.context(), settings.features());
    Map<String, Integer> slots = session.slots();
    progress.say("caching the rows, one partition for each slot");
    try (CachedRows cached = CachedRows.onePerSlot(rows, slots)) {
      warmUp(cached);
      shares.hold();
      for (DemoSide side : List.of(DemoSide.MLLIB, DemoSide.ADAPTIVE, DemoSide.UNIFORM)) {
        run(side, cached, session);
      }
      cached.requireHeld();
    }
    progress.say("caching the rows, %d partitions for each slot", PARTITIONS_PER_SLOT);
    int parts = PARTITIONS_PER_SLOT * slots.values().stream().mapToInt(Integer::intValue).sum();
    try (CachedRows cached = CachedRows.asScheduled(rows.apply(parts), /* copies= */ 1)) {
      run(DemoSide.MLLIB_PARTITIONED, cached, session);
      cached.requireHeld();
    }
    Rounds adaptive = runs.get(DemoSide.ADAPTIVE).rounds();
    draw(adaptive, session.executors(), flights.rows());
    return new QuickReport(
        List.copyOf(runs.values()), session.executors(), adaptive.speedsFrom(/* round= */ 1), png);
  }

  /**
   * Lets the JVMs compile the code of MLlib and of Spark ATA: on a tenth of a core that takes
   * minutes. Spark ATA remembers no speed of the demo's kernel from it.
   */
  private void warmUp(CachedRows cached) {
    progress.say("warming up MLlib and Spark ATA: %d iterations each", WARM_UP);
    DemoSide.Problem some = problem.withIterations(WARM_UP);
    DemoSide.MLLIB.train(cached.rdd(), some, new SquaredL2Updater());
    DemoSide.UNIFORM.train(
        cached.rdd(), some.withGradient(new HingeGradient()), new SquaredL2Updater());
    Calibration.rowsPerSecond(cached.rdd(), problem.gradient(), problem.start(), WARM_UP_SECONDS);
  }

  private void run(DemoSide side, CachedRows cached, DemoSession session) throws Exception {
    Path log = session.roundLog(session.calls() + 1);
    Supplier<Map<String, Long>> lastSamples =
        side.isStock() ? cached::rowsByExecutor : () -> lastSamples(log);
    session.tasks().reset();
    BudgetUpdater clock =
        new BudgetUpdater(
            new SquaredL2Updater(),
            settings.seconds(),
            System::nanoTime,
            mllib == null ? MOST_KEPT : mllib.kept());
    mllib = mllib == null ? clock : mllib;
    LiveLine line = new LiveLine(side, session.executors(), clock, lastSamples, progress).start();
    long begin = System.nanoTime();
    Tuple2<Vector, double[]> result;
    try {
      result = side.train(cached.rdd(), problem, clock);
    } finally {
      line.close();
    }
    double callSeconds = (System.nanoTime() - begin) / 1e9;
    List<Double> losses = Arrays.stream(result._2()).boxed().toList();
    int compared = clock.kept();
    runs.put(
        side,
        new QuickRun(
            side,
            callSeconds,
            side.isStock()
                ? Rounds.fixed(cached.rowsByExecutor(), losses.size())
                : Rounds.read(log),
            session.tasks().workerSeconds(),
            clock.updates(),
            clock.roundEnds(),
            losses,
            DemoRun.weightDifference(mllib.weightsAfter(compared), clock.weightsAfter(compared)),
            compared));
    if (side.isStock() && session.tasks().tasksAway() > 0) {
      progress.say(
          "%s: %d tasks ran away from their cached rows", side.id(), session.tasks().tasksAway());
    }
  }

  private static Map<String, Long> lastSamples(Path log) {
    try {
      return Rounds.lastSamples(log);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private void draw(Rounds adaptive, UnevenExecutors executors, int rows) throws IOException {
    new SharesChart(
            "Samples per executor and round: adaptive, from a cold start",
            executors,
            adaptive.samples())
        .levels("by CPU share", executors.proportional(rows))
        .write(png);
  }
}
