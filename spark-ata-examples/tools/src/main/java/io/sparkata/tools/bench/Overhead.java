package io.sparkata.tools.bench;

import io.sparkata.tools.CachedRows;
import io.sparkata.tools.Medians;
import io.sparkata.tools.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/**
 * What a round costs besides its kernel: trainings over so few rows that the kernel takes no time.
 * After each round the driver runs two plain jobs of as many tasks, so that all are interleaved:
 * one that does nothing, and one that broadcasts weights and sums a gradient of the same size by
 * {@code treeAggregate}.
 */
final class Overhead {
  static final String EMPTY_JOB = "empty-job";
  static final String PLAIN_ROUND = "broadcast-tree-aggregate";

  private static final int ROWS_PER_SLOT = 64;
  private static final int NON_ZEROS = 8;
  private static final int WARM_UP = 20;
  private static final int TURNS = 3;

  private final String speeds;
  private final BenchArguments arguments;
  private final Shares shares;
  private final Progress progress;

  /**
   * @param speeds of the cluster's workers, for the results
   * @param arguments weights, iterations, the seed of the rows made, and a user's policy
   */
  Overhead(String speeds, BenchArguments arguments, Shares shares, Progress progress) {
    this.speeds = speeds;
    this.arguments = arguments;
    this.shares = shares;
    this.progress = progress;
  }

  void run(Results results) throws Exception {
    SparkConf conf = new SparkConf().set("spark.ata.passThrough", "never");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      Map<String, Integer> slots = Slots.await(context);
      shares.hold();
      for (int size : arguments.features()) {
        MadeRows workload =
            new MadeRows(
                MadeRows.SPARSE,
                Workload.SMALL,
                (long) ROWS_PER_SLOT * slots.values().stream().mapToInt(n -> n).sum(),
                size,
                NON_ZEROS,
                /* classes= */ 2,
                /* fraction= */ 1.0,
                arguments.seed());
        measure(context, slots, workload, arguments.iterations(), results);
      }
    }
  }

  private void measure(
      JavaSparkContext context,
      Map<String, Integer> slots,
      MadeRows workload,
      int iterations,
      Results results)
      throws IOException {
    Map<String, List<Double>> all = new LinkedHashMap<>();
    List<BenchSide> sides =
        arguments.withPolicy(List.of(BenchSide.MLLIB, BenchSide.UNIFORM, BenchSide.ADAPTIVE));
    sides.forEach(side -> all.put(side.id(), new ArrayList<>()));
    all.put(PLAIN_ROUND, new ArrayList<>());
    all.put(EMPTY_JOB, new ArrayList<>());
    int tasks = slots.values().stream().mapToInt(Integer::intValue).sum();
    try (CachedRows cached = CachedRows.onePerSlot(workload.on(context), slots)) {
      for (int turn = 0; turn <= TURNS; turn++) {
        List<BenchSide> turns = new ArrayList<>(sides);
        Collections.rotate(turns, turn);
        for (BenchSide side : turns) {
          progress.say(
              "%d weights, %s: %s",
              workload.features(), side.id(), turn == 0 ? "warming up" : "turn " + turn);
          PlainJobs jobs = new PlainJobs(context, tasks, workload.features());
          SideRun.train(
              side,
              cached.rdd(),
              workload,
              workload.fraction(),
              WARM_UP + iterations / TURNS,
              jobs);
          if (turn > 0) {
            all.get(side.id()).addAll(warm(jobs.rounds));
            all.get(PLAIN_ROUND).addAll(warm(jobs.plain));
            all.get(EMPTY_JOB).addAll(warm(jobs.empty));
          }
        }
      }
    }
    Map<String, Double> seconds = new LinkedHashMap<>();
    all.forEach((side, times) -> seconds.put(side, Medians.of(times, Double::doubleValue)));
    double stock = seconds.get(BenchSide.MLLIB.id());
    for (Map.Entry<String, Double> side : seconds.entrySet()) {
      double median = side.getValue();
      progress.say("%d weights, %s: %.1f ms", workload.features(), side.getKey(), 1e3 * median);
      results.add(
          Measurement.ofRounds(
              "overhead", side.getKey(), speeds, workload, iterations, median, stock / median));
    }
  }

  private static List<Double> warm(List<Double> seconds) {
    return seconds.subList(WARM_UP, seconds.size());
  }

  /** An updater that times the round before it, then the two plain jobs. */
  private static final class PlainJobs extends Updater {
    private static final long serialVersionUID = 1L;

    private final Updater updater = new SquaredL2Updater();
    private final transient JavaSparkContext context;
    private final int tasks;
    private final int features;
    private final List<Double> rounds = new ArrayList<>();
    private final List<Double> empty = new ArrayList<>();
    private final List<Double> plain = new ArrayList<>();
    private long end;

    PlainJobs(JavaSparkContext context, int tasks, int features) {
      this.context = context;
      this.tasks = tasks;
      this.features = features;
    }

    @Override
    public Tuple2<Vector, Object> compute(
        Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
      long begin = System.nanoTime();
      Tuple2<Vector, Object> next =
          updater.compute(weights, gradient, stepSize, iteration, regParam);
      if (stepSize > 0) { // 0 is MLlib's question for the first regularisation value
        if (end > 0) {
          rounds.add((begin - end) / 1e9);
          empty.add(seconds(this::emptyJob));
          plain.add(seconds(this::plainRound));
        }
        end = System.nanoTime();
      }
      return next;
    }

    private static double seconds(Runnable job) {
      long start = System.nanoTime();
      job.run();
      return (System.nanoTime() - start) / 1e9;
    }

    private void emptyJob() {
      slots().foreachPartition(unused -> {});
    }

    private void plainRound() {
      Broadcast<double[]> sent = context.broadcast(new double[features]);
      Overhead.models(slots(), sent).treeAggregate(new double[0], Overhead::add, Overhead::add, 2);
      sent.destroy();
    }

    private JavaRDD<Integer> slots() {
      return context.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks);
    }
  }

  private static JavaRDD<double[]> models(JavaRDD<Integer> slots, Broadcast<double[]> sent) {
    return slots.map(unused -> sent.value().clone());
  }

  private static double[] add(double[] left, double[] right) {
    if (left.length == 0 || right.length == 0) {
      return left.length == 0 ? right : left;
    }
    for (int i = 0; i < left.length; i++) {
      left[i] += right[i];
    }
    return left;
  }
}
