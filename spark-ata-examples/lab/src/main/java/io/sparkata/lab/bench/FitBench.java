package io.sparkata.lab.bench;

import io.sparkata.lab.Progress;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.TaskTimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * Fits spark.ml's estimators by L-BFGS. Each turn of a side is an application of its own, since
 * only the configuration makes the sides differ, as it does for users. All sides take turns at a
 * case before the next case begins, another side first in each repetition.
 */
final class FitBench {
  private static final int WARM_UP_ITERATIONS = 2;
  private static final long WARM_UP_NANOS = 12_000_000_000L;

  /** Evaluations under the quotas, for sides that remember speeds. */
  private static final int LEARNING_ITERATIONS = 3;

  private static final long EXECUTORS_NANOS = 120_000_000_000L;
  private static final long POLL_MILLIS = 200;

  private final String speeds;
  private final BenchArguments arguments;
  private final Shares shares;
  private final Progress progress;

  /** Receives measurements as soon as they are complete, since later ones may fail. */
  interface Results {
    void add(FitMeasurement measurement) throws IOException;
  }

  FitBench(String speeds, BenchArguments arguments, Shares shares, Progress progress) {
    this.speeds = speeds;
    this.arguments = arguments;
    this.shares = shares;
    this.progress = progress;
  }

  void run(Results results) throws Exception {
    List<FitSide> sides = arguments.fitSides();
    for (String size : arguments.sizes()) {
      for (FitCase one : arguments.cases()) {
        FitWork work = FitWork.of(one, size, arguments.seed());
        FitFigures figures =
            new FitFigures(speeds, work, arguments.iterations(), speeds.split(",", -1).length);
        for (FitMeasurement measurement : figures.of(takeTurns(sides, work))) {
          results.add(measurement);
        }
      }
    }
  }

  private Map<FitSide, List<FitRun>> takeTurns(List<FitSide> sides, FitWork work) throws Exception {
    Map<FitSide, List<FitRun>> runs = new LinkedHashMap<>();
    sides.forEach(side -> runs.put(side, new ArrayList<>()));
    for (int i = 0; i < arguments.repetitions(); i++) {
      List<FitSide> turns = new ArrayList<>(sides);
      Collections.rotate(turns, i);
      for (FitSide side : turns) {
        FitRun run = takeTurn(side, work);
        progress.say(
            "%s: %s: %.3f s per evaluation, %.1f s in all",
            work.one().id(),
            side.id(),
            work.one().isOneFit() ? run.medianSeconds() : Double.NaN,
            run.fitSeconds());
        runs.get(side).add(run);
      }
    }
    return runs;
  }

  private FitRun takeTurn(FitSide side, FitWork work) throws Exception {
    SparkConf conf = new SparkConf();
    side.settings().forEach(conf::set);
    progress.say("%s, %s: %s: warming up", work.one().id(), work.dataset(), side.id());
    shares.lift();
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      int slots = awaitSlots(context);
      SparkSession session = SparkSession.builder().getOrCreate();
      Dataset<Row> input = work.input(session, side.partitionsPerSlot() * slots);
      warmUp(side, work, input);
      shares.hold();
      cache(side, input); // Spark places rows by how fast executors take tasks
      if (!side.isStock()) {
        work.fit(input, LEARNING_ITERATIONS);
      }
      return measure(side, work, input, context);
    }
  }

  /** Executors run as fast as they can meanwhile. */
  private static void warmUp(FitSide side, FitWork work, Dataset<Row> input) {
    cache(side, input);
    long start = System.nanoTime();
    do {
      work.fit(input, WARM_UP_ITERATIONS);
    } while (System.nanoTime() - start < WARM_UP_NANOS);
    input.unpersist(/* blocking= */ true);
  }

  private static void cache(FitSide side, Dataset<Row> input) {
    if (side.inputCopies() > 0) {
      input.persist(
          StorageLevel.apply(
              /* useDisk= */ false,
              /* useMemory= */ true,
              /* useOffHeap= */ false,
              /* deserialized= */ true,
              side.inputCopies()));
      input.count();
    }
  }

  private FitRun measure(FitSide side, FitWork work, Dataset<Row> input, JavaSparkContext context)
      throws Exception {
    TaskTimes tasks = TaskTimes.listenTo(context.sc());
    tasks.reset();
    RoutedRounds rounds = RoutedRounds.of(context.sc());
    try (Evaluations evaluations =
        new Evaluations(context.sc(), () -> storageBytes(context.sc()))) {
      StolenTime stolen = StolenTime.now();
      long begin = System.currentTimeMillis();
      List<Double> losses = work.fit(input, arguments.iterations());
      double fitSeconds = (System.currentTimeMillis() - begin) / 1e3;
      FitRun run =
          new FitRun(
              evaluations.secondsSince(begin),
              evaluations.cpuSeconds(),
              fitSeconds,
              tasks.workerSeconds(),
              evaluations.storageBytes(),
              losses,
              rounds.require(side.id(), work.one().id(), /* isRouted= */ !side.isStock()),
              StolenTime.now().shareSince(stolen));
      requireEnough(run, work);
      return run;
    }
  }

  private static void requireEnough(FitRun run, FitWork work) {
    int least = FitRun.WARM_UP + 1;
    if (run.ends().size() < least) {
      throw new RunFailure(
          "Cannot measure %s: %d evaluations (at least %d). Set --iterations to more."
              .formatted(work.one().id(), run.ends().size(), least));
    }
  }

  /** Waits for all executors, one slot each; their number. */
  private static int awaitSlots(JavaSparkContext context) throws InterruptedException {
    int wanted = context.getConf().getInt("spark.cores.max", 0);
    long deadline = System.nanoTime() + EXECUTORS_NANOS;
    while (true) {
      int executors = context.sc().getExecutorMemoryStatus().size() - 1; // less the driver
      if (executors == wanted) {
        return executors;
      }
      if (System.nanoTime() > deadline) {
        throw new RunFailure(
            "Cannot get all executors: %d of %d came. Set spark.cores.max to as many as the cluster has."
                .formatted(executors, wanted));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** Storage memory in use on all executors, without the driver. */
  private static long storageBytes(SparkContext context) {
    String driver = SparkEnv.get().blockManager().blockManagerId().hostPort();
    long bytes = 0;
    scala.collection.Iterator<Tuple2<String, Tuple2<Object, Object>>> memory =
        context.getExecutorMemoryStatus().iterator();
    while (memory.hasNext()) {
      Tuple2<String, Tuple2<Object, Object>> one = memory.next();
      if (!one._1().equals(driver)) {
        bytes += (Long) one._2()._1() - (Long) one._2()._2();
      }
    }
    return bytes;
  }
}
