package io.sparkata.lab.bench;

import io.sparkata.AtaGradientDescent;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import io.sparkata.cluster.Executor;
import io.sparkata.lab.CachedRows;
import io.sparkata.lab.IterationClock;
import io.sparkata.lab.Progress;
import io.sparkata.lab.Rounds;
import io.sparkata.lab.bench.CnnMeasurement.Point;
import io.sparkata.lab.bench.CnnMeasurement.Share;
import io.sparkata.lab.cnn.AdamUpdater;
import io.sparkata.lab.cnn.CnnProblem;
import io.sparkata.lab.cnn.IdxImages;
import io.sparkata.lab.cnn.NetworkGradient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/**
 * Trains the paper's network, a user's {@code Gradient} and {@code Updater}, by each policy. A side
 * has an application of its own, so that it starts without the speeds that another side measured.
 */
final class CnnBench {
  /** All sides have as many of the first images: what a fast executor lacks must be moved. */
  private static final int IMAGES = 12_000;

  static final long WARM_UP_NANOS = 20_000_000_000L;

  private static final int WARM_UP_ITERATIONS = 100;

  private final BenchCase one;
  private final int batch;
  private final String speeds;
  private final BenchArguments arguments;
  private final Shares shares;
  private final Progress progress;
  private final CnnProblem problem;

  /** Of the first side that draws MLlib's sample; empty before it has. */
  private double[] firstLosses = {};

  /** Receives measurements as soon as they are complete, since later ones may fail. */
  interface Results {
    void add(CnnMeasurement measurement) throws IOException;
  }

  /** The same code under another name, so that no side knows speeds from the warm-up. */
  private static final class WarmUpGradient extends NetworkGradient {
    private static final long serialVersionUID = 1L;

    WarmUpGradient(int side) {
      super(side, IdxImages.CLASSES);
    }
  }

  /**
   * @param one the case, for the results
   * @param batch images of a round, in the mean
   * @param arguments sides, iterations, the folder of the images and the seed of the first weights
   */
  CnnBench(
      BenchCase one,
      int batch,
      String speeds,
      BenchArguments arguments,
      Shares shares,
      Progress progress)
      throws IOException {
    this.one = one;
    this.batch = batch;
    this.speeds = speeds;
    this.arguments = arguments;
    this.shares = shares;
    this.progress = progress;
    this.problem =
        new CnnProblem(
            IdxImages.read(RealSet.FASHION_MNIST.in(arguments.data()), "train").first(IMAGES));
  }

  void run(Results results) throws Exception {
    for (BenchSide side : arguments.sides()) {
      CnnMeasurement measurement = run(side);
      results.add(measurement);
      progress.say("%s", measurement.summary());
    }
  }

  CnnMeasurement run(BenchSide side) throws Exception {
    progress.say("%s: warming up", side.id());
    shares.lift();
    SparkConf conf = new SparkConf();
    conf.set("spark.ata.passThrough", "never").set("spark.ata.execution", "resident");
    conf.set("spark.ata.greedy.acknowledged", "true");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      return train(side, context);
    }
  }

  private CnnMeasurement train(BenchSide side, JavaSparkContext context) throws Exception {
    AtaRuntime runtime = AtaRuntime.of(context.sc()).orElseThrow(Bench::isOff);
    Map<String, Integer> slots = Slots.await(context);
    try (CachedRows cached = CachedRows.onePerSlot(parts -> problem.rdd(context, parts), slots)) {
      long begin = System.nanoTime();
      do {
        optimize(
            side,
            cached,
            new WarmUpGradient(problem.side()),
            new AdamUpdater(problem.start(arguments.seed()).size()),
            WARM_UP_ITERATIONS);
      } while (System.nanoTime() - begin < WARM_UP_NANOS);
      shares.hold();
      return measure(side, cached, runtime);
    }
  }

  private CnnMeasurement measure(BenchSide side, CachedRows cached, AtaRuntime runtime)
      throws Exception {
    Vector start = problem.start(arguments.seed());
    int stride = arguments.iterations() / CnnMeasurement.POINTS;
    WeightSnapshots snapshots = new WeightSnapshots(new AdamUpdater(start.size()), stride);
    IterationClock clock = new IterationClock(snapshots);
    Counters counters = runtime.counters();
    long roundsBefore = counters.rounds.get();
    long residentBefore = counters.residentRounds.get();
    StolenTime stolen = StolenTime.now();
    long begin = System.nanoTime();
    double[] losses =
        optimize(
                side,
                cached,
                new NetworkGradient(problem.side(), IdxImages.CLASSES),
                clock,
                arguments.iterations())
            ._2();
    double stolenShare = StolenTime.now().shareSince(stolen);
    double resident = counters.residentRounds.get() - residentBefore;
    Rounds rounds = Rounds.read(SideRun.roundLog(runtime, cached.rdd().context()));
    if (firstLosses.length == 0 && !side.equals(BenchSide.GREEDY)) {
      firstLosses = losses;
    }
    return new CnnMeasurement(
        one.id(),
        side.id(),
        speeds,
        start.size(),
        problem.rows(),
        batch,
        arguments.iterations(),
        1e3 * clock.medianSecondsFrom(SideRun.SETTLED),
        rounds.packSeconds(),
        resident / (counters.rounds.get() - roundsBefore),
        stolenShare,
        side.equals(BenchSide.GREEDY) ? Double.NaN : difference(losses, firstLosses),
        points(start, snapshots.kept(), clock.secondsSince(begin), rounds, stride),
        shares(rounds, runtime.cluster().live()));
  }

  private Tuple2<Vector, double[]> optimize(
      BenchSide side, CachedRows cached, Gradient gradient, Updater updater, int iterations) {
    return new AtaGradientDescent(gradient, updater)
        .setPolicy(side.policy().orElseThrow())
        .setStepSize(CnnProblem.STEP)
        .setNumIterations(iterations)
        .setMiniBatchFraction((double) batch / problem.rows())
        .setConvergenceTol(0.0)
        .optimizeWithLossReturned(cached.rdd(), problem.start(arguments.seed()));
  }

  /** The largest, as a part of {@code first}. */
  static double difference(double[] losses, double[] first) {
    double most = 0;
    for (int i = 0; i < losses.length; i++) {
      most = Math.max(most, Math.abs(losses[i] - first[i]) / first[i]);
    }
    return most;
  }

  private List<Point> points(
      Vector start, List<Vector> weights, List<Double> seconds, Rounds rounds, int stride) {
    List<Point> points = new ArrayList<>();
    points.add(new Point(0, 0, 0, 0, problem.loss(start)));
    double kernelSeconds = 0;
    double droppedSeconds = 0;
    for (int update = 1; update <= stride * weights.size(); update++) {
      for (double kernel : rounds.kernelSeconds().get(update - 1).values()) {
        kernelSeconds += kernel;
      }
      droppedSeconds += rounds.droppedSeconds().get(update - 1);
      if (update % stride == 0) {
        points.add(
            new Point(
                update,
                seconds.get(update - 1),
                kernelSeconds + droppedSeconds,
                droppedSeconds,
                problem.loss(weights.get(update / stride - 1))));
      }
    }
    return points;
  }

  CnnProblem problem() {
    return problem;
  }

  /** By host, as {@code scripts/cluster} numbers the workers. */
  private static List<Share> shares(Rounds rounds, List<Executor> executors) {
    Map<String, Double> images = rounds.meanFrom(1);
    Map<String, Double> speeds = rounds.speedsFrom(1);
    Map<String, Double> overheads = rounds.meanFixedSecondsFrom(SideRun.SETTLED);
    return executors.stream()
        .sorted(
            Comparator.comparing((Executor one) -> one.host().length())
                .thenComparing(Executor::host))
        .map(
            one -> {
              double speed = speeds.getOrDefault(one.id(), 0.0);
              return new Share(
                  images.getOrDefault(one.id(), 0.0),
                  speed == 0 ? Double.NaN : 1e3 / speed,
                  1e3 * overheads.getOrDefault(one.id(), 0.0));
            })
        .toList();
  }
}
