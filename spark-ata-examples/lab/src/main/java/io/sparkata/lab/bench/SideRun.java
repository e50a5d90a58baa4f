package io.sparkata.lab.bench;

import io.sparkata.AtaGradientDescent;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.lab.CachedRows;
import io.sparkata.lab.IterationClock;
import io.sparkata.lab.Rounds;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.TaskTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LBFGS;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/**
 * One training by one side, measured on the driver.
 *
 * @param medianSeconds per iteration, of L-BFGS per evaluation, from the tenth on
 * @param updates seconds from the call to each update, where a loss is seen first
 * @param callSeconds the whole call
 * @param workerSeconds run time of all tasks
 * @param stolenShare of the CPU time wanted meanwhile, what the hypervisor gave to others; NaN if
 *     unknown
 * @param memoryBytes most storage memory in use at an update, over what the caller's rows take
 *     without copies
 * @param samples by executor, mean from the tenth round on; empty for stock sides and L-BFGS
 */
record SideRun(
    double medianSeconds,
    List<Double> updates,
    double callSeconds,
    double workerSeconds,
    double stolenShare,
    long memoryBytes,
    Map<String, Double> samples,
    List<Double> losses,
    Vector weights) {
  /** The first iteration that counts: a policy has seen a few rounds by then. */
  static final int SETTLED = 10;

  private static final double REG_PARAM = 1e-5;
  private static final int MEMORY_EVERY = 5;
  private static final int CORRECTIONS = 10;

  static SideRun measure(
      BenchSide side,
      CachedRows cached,
      Workload workload,
      int iterations,
      Updater updater,
      AtaRuntime runtime,
      TaskTimes tasks)
      throws Exception {
    SparkContext context = cached.rdd().context();
    tasks.reset();
    MemoryProbe memory = new MemoryProbe(updater, context);
    IterationClock clock = new IterationClock(memory);
    StolenTime stolen = StolenTime.now();
    RoutedRounds routed = RoutedRounds.of(context);
    long begin = System.nanoTime();
    Tuple2<Vector, double[]> trained =
        train(side, cached.rdd(), workload, workload.fraction(), iterations, clock);
    double callSeconds = (System.nanoTime() - begin) / 1e9;
    if (side.isLbfgs()) {
      routed.require(side.id(), workload.dataset(), /* isRouted= */ !side.isStock());
    }
    return new SideRun(
        clock.medianSecondsFrom(SETTLED),
        clock.secondsSince(begin),
        callSeconds,
        tasks.workerSeconds(),
        StolenTime.now().shareSince(stolen),
        memory.most() + cached.copiesBytes(),
        side.isStock() || side.isLbfgs()
            ? Map.of()
            : Rounds.read(roundLog(runtime, context)).meanFrom(SETTLED),
        Arrays.stream(trained._2()).boxed().toList(),
        trained._1());
  }

  double finalLoss() {
    return losses.get(losses.size() - 1);
  }

  /** Seconds of the iterations, the first from the call on. */
  double[] iterationSeconds() {
    double[] seconds = new double[updates.size()];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = updates.get(i) - (i == 0 ? 0 : updates.get(i - 1));
    }
    return seconds;
  }

  /**
   * Seconds from the call until the loss was seen to be at most so much; NaN if never. Where a
   * method looks at more losses than it reports, these are taken to be evenly spread.
   */
  double secondsToLoss(double target) {
    for (int i = 0; i < losses.size(); i++) {
      if (losses.get(i) <= target) {
        double looks = (double) (i + 1) * updates.size() / losses.size();
        return updates.get(Math.min(updates.size(), (int) Math.ceil(looks)) - 1);
      }
    }
    return Double.NaN;
  }

  /** That of the last training. */
  static Path roundLog(AtaRuntime runtime, SparkContext context) throws IOException {
    return lastLog(Path.of(runtime.conf().roundLogPath().orElseThrow()), context.applicationId());
  }

  /** The log with the highest number. */
  static Path lastLog(Path folder, String applicationId) throws IOException {
    Pattern name = Pattern.compile(Pattern.quote(applicationId) + "-call-([0-9]+)\\.jsonl");
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> name.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .max(Comparator.comparing(match -> Long.valueOf(match.group(1))))
          .map(match -> folder.resolve(match.group()))
          .orElseThrow(
              () ->
                  new RunFailure("Cannot find a round log in " + folder + ": nothing was routed."));
    }
  }

  /** One training. */
  static Tuple2<Vector, double[]> train(
      BenchSide side,
      RDD<Tuple2<Object, Vector>> rows,
      Workload workload,
      double fraction,
      int iterations,
      Updater updater) {
    if (side.isLbfgs()) {
      return LBFGS.runLBFGS(
          side.isStock() ? unrouted(rows) : rows,
          workload.gradient(),
          updater,
          CORRECTIONS,
          /* convergenceTol= */ 0.0,
          iterations,
          REG_PARAM,
          workload.start());
    }
    if (side.isStock()) {
      return GradientDescent.runMiniBatchSGD(
          rows,
          workload.gradient(),
          updater,
          workload.step(),
          iterations,
          REG_PARAM,
          fraction,
          workload.start(),
          /* convergenceTol= */ 0.0);
    }
    return new AtaGradientDescent(workload.gradient(), updater)
        .setPolicy(side.policy().orElseThrow())
        .setStepSize(workload.step())
        .setNumIterations(iterations)
        .setRegParam(REG_PARAM)
        .setMiniBatchFraction(fraction)
        .setConvergenceTol(0.0)
        .optimizeWithLossReturned(rows, workload.start());
  }

  /**
   * The same cached rows by an RDD that is not persisted itself: Spark ATA leaves its sums alone.
   */
  private static RDD<Tuple2<Object, Vector>> unrouted(RDD<Tuple2<Object, Vector>> rows) {
    return rows.toJavaRDD().mapPartitions(part -> part, /* preservesPartitioning= */ true).rdd();
  }

  /** Looks at the storage memory of all executors at some updates. */
  private static final class MemoryProbe extends Updater {
    private static final long serialVersionUID = 1L;

    private final Updater updater;
    private final transient SparkContext context;
    private final long before;
    private long most;

    MemoryProbe(Updater updater, SparkContext context) {
      this.updater = updater;
      this.context = context;
      this.before = used();
      this.most = before;
    }

    @Override
    public Tuple2<Vector, Object> compute(
        Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
      if (iteration % MEMORY_EVERY == 0) {
        most = Math.max(most, used());
      }
      return updater.compute(weights, gradient, stepSize, iteration, regParam);
    }

    /** Bytes over those before the training. */
    long most() {
      return most - before;
    }

    private long used() {
      long bytes = 0;
      scala.collection.Iterator<Tuple2<Object, Object>> memory =
          context.getExecutorMemoryStatus().values().iterator();
      while (memory.hasNext()) {
        Tuple2<Object, Object> one = memory.next();
        bytes += (Long) one._1() - (Long) one._2();
      }
      return bytes;
    }
  }
}
