package io.sparkata.lab.bench;

import io.sparkata.lab.Progress;
import io.sparkata.lab.bench.CnnMeasurement.Point;
import io.sparkata.lab.bench.CnnMeasurement.Share;
import io.sparkata.lab.cnn.AdamUpdater;
import io.sparkata.lab.cnn.CnnProblem;
import io.sparkata.lab.cnn.IdxImages;
import io.sparkata.lab.cnn.NetworkGradient;
import io.sparkata.lab.ring.RingJob;
import io.sparkata.lab.ring.RingResult;
import io.sparkata.lab.ring.RingRows;
import io.sparkata.lab.ring.RingShares;
import io.sparkata.lab.ring.RingTraining;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.linalg.Vector;

/**
 * Trains the network of {@link CnnBench} by ring all-reduce, with equal, static and self-adaptive
 * shares, and by Spark ATA with the updater on the driver. All have the same images, gradient,
 * updater and mean batch; the ring's sides also the same images in each round.
 */
final class RingBench {
  /** Images of a round: more than of cnn, so that the gradient takes longer than the ring. */
  private static final int BATCH = 240;

  /** Rounds between two changes of self-adaptive shares: quotas are noisy within one. */
  private static final int ADAPT_EVERY = 10;

  private static final int WARM_UP_ITERATIONS = 50;

  private final String speeds;
  private final BenchArguments arguments;
  private final Shares shares;
  private final Progress progress;
  private final CnnBench byDriver;

  /** Of the first side in a ring; empty before it has trained. */
  private double[] firstLosses = {};

  /**
   * @param speeds of the cluster's workers: the static shares
   * @param arguments sides, iterations, the folder of the images and the seed
   */
  RingBench(String speeds, BenchArguments arguments, Shares shares, Progress progress)
      throws IOException {
    this.speeds = speeds;
    this.arguments = arguments;
    this.shares = shares;
    this.progress = progress;
    this.byDriver = new CnnBench(BenchCase.RING, BATCH, speeds, arguments, shares, progress);
  }

  void run(CnnBench.Results results) throws Exception {
    for (String side : arguments.ringSides()) {
      CnnMeasurement measurement =
          switch (side) {
            case CnnMeasurement.RING_EQUAL ->
                run(side, members -> RingShares.fixed(equal(members)));
            case "ring-static" -> run(side, members -> RingShares.fixed(known()));
            case "ring-self-adaptive" ->
                run(side, members -> RingShares.selfAdaptive(members, ADAPT_EVERY));
            default -> byDriver.run(BenchSide.of(side).orElseGet(() -> BenchSide.ofPolicy(side)));
          };
      results.add(measurement);
      progress.say("%s", measurement.summary());
    }
  }

  private static double[] equal(int members) {
    double[] equal = new double[members];
    Arrays.fill(equal, 1);
    return equal;
  }

  private double[] known() {
    return Arrays.stream(speeds.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  private CnnMeasurement run(String side, IntFunction<RingShares> sharesOf) throws Exception {
    progress.say("%s: warming up", side);
    shares.lift();
    CnnProblem problem = byDriver.problem();
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf())) {
      int members = Slots.await(context).values().stream().mapToInt(Integer::intValue).sum();
      RingRows images = problem::row;
      Broadcast<RingRows> rows = context.broadcast(images);
      long begin = System.nanoTime();
      do {
        RingJob.run(context, members, rows, training(sharesOf.apply(members), WARM_UP_ITERATIONS));
      } while (System.nanoTime() - begin < CnnBench.WARM_UP_NANOS);
      shares.hold();
      StolenTime stolen = StolenTime.now();
      RingResult result =
          RingJob.run(
              context, members, rows, training(sharesOf.apply(members), arguments.iterations()));
      return measurement(side, result, StolenTime.now().shareSince(stolen));
    }
  }

  private RingTraining training(RingShares some, int iterations) {
    CnnProblem problem = byDriver.problem();
    Vector start = problem.start(arguments.seed());
    return new RingTraining(
        start,
        new NetworkGradient(problem.side(), IdxImages.CLASSES),
        new AdamUpdater(start.size()),
        CnnProblem.STEP,
        iterations,
        problem.rows(),
        BATCH,
        arguments.seed(),
        some);
  }

  private CnnMeasurement measurement(String side, RingResult result, double stolenShare) {
    CnnProblem problem = byDriver.problem();
    int rounds = arguments.iterations();
    if (firstLosses.length == 0) {
      firstLosses = array(result.losses());
    }
    Point start = new Point(0, 0, 0, 0, problem.loss(problem.start(arguments.seed())));
    Point end =
        new Point(
            rounds,
            result.endSeconds().get(rounds - 1),
            Arrays.stream(array(result.computeSeconds())).sum(),
            /* droppedSeconds= */ 0,
            problem.loss(result.weights()));
    List<Share> parts =
        IntStream.range(0, result.rows().size())
            .mapToObj(
                member -> {
                  double images = result.rows().get(member);
                  double millis = 1e3 * result.computeSeconds().get(member);
                  return new Share(images / rounds, millis / images, /* overheadMillis= */ 0);
                })
            .toList();
    return new CnnMeasurement(
        BenchCase.RING.id(),
        side,
        speeds,
        result.weights().size(),
        problem.rows(),
        BATCH,
        rounds,
        1e3 * result.medianSecondsFrom(SideRun.SETTLED),
        result.setUpSeconds(),
        /* residentShare= */ Double.NaN,
        stolenShare,
        CnnBench.difference(array(result.losses()), firstLosses),
        List.of(start, end),
        parts);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
