package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.FaultPlugin;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.Fitted;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Nemesis;
import io.sparkata.testing.Processes;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.clustering.KMeans;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * Trainings and other iterative jobs under one to three faults at any time: stock's results, no
 * failure of Spark ATA, nothing left. {@code -Data.chaos.runs=N} and {@code -Data.chaos.seed=S} run
 * others; a seed gives the same work and faults, but not the same interleaving.
 */
class ChaosIT {
  private static final Logger LOG = LoggerFactory.getLogger(ChaosIT.class);
  private static final int RUNS = Integer.getInteger("ata.chaos.runs", 6);
  private static final long SEED = Long.getLong("ata.chaos.seed", 100);
  private static final int MOST_FAULTS = 3;
  private static final int FEATURES = 20;
  private static final int PARTITIONS = 7;
  private static final int ITERATIONS = 150;
  private static final double TOLERANCE = 1e-6;

  @SuppressWarnings("ImmutableEnumChecker")
  private enum Work {
    DESCENT {
      @Override
      double[] run(JavaSparkContext spark) {
        return Mllib.logistic(spark, 20_000, FEATURES, PARTITIONS, ITERATIONS)
            .trainByMllib()
            ._1()
            .toArray();
      }
    },
    DESCENT_OVER_CACHED_ROWS {
      @Override
      double[] run(JavaSparkContext spark) {
        RDD<Tuple2<Object, Vector>> rows =
            TestData.partitions(
                    spark, TestData.rows(20_000, FEATURES, /* sparse= */ true, 5), PARTITIONS)
                .persist(StorageLevel.MEMORY_ONLY());
        Mllib made = Mllib.logistic(spark, 10, FEATURES, 1, ITERATIONS);
        double[] weights =
            new Mllib(rows, made.gradient(), 0.3, ITERATIONS, FEATURES)
                .trainByMllib()
                ._1()
                .toArray();
        rows.unpersist(/* blocking= */ false);
        return weights;
      }
    },
    FITS {
      @Override
      double[] run(JavaSparkContext spark) {
        List<Double> all = new ArrayList<>();
        for (Fit fit : List.of(Fit.LOGISTIC, Fit.LINEAR_SVC, Fit.PERCEPTRON)) {
          FitData data =
              FitData.even(
                  spark, FEATURES, /* sparse= */ false, FitData.SMALL_BLOCKS, 6_000, PARTITIONS);
          Fitted fitted = fit.train(data, Fit.Terms.PLAIN, /* iterations= */ 8);
          for (double parameter : fitted.parameters().toArray()) {
            all.add(parameter);
          }
        }
        return all.stream().mapToDouble(value -> value).toArray();
      }
    },
    /** Over integers, so that sums do not depend on their order. */
    K_MEANS {
      @Override
      double[] run(JavaSparkContext spark) {
        JavaRDD<Vector> points =
            spark
                .parallelize(IntStream.range(0, 100_000).boxed().toList(), 4 * PARTITIONS)
                .map(i -> Vectors.dense(i % 97, i % 89, i % 7))
                .cache();
        List<Double> all = new ArrayList<>();
        for (int seed = 1; seed <= 4; seed++) {
          for (Vector center :
              KMeans.train(points.rdd(), /* k= */ 5, /* maxIterations= */ 8, "random", seed)
                  .clusterCenters()) {
            for (double coordinate : center.toArray()) {
              all.add(coordinate);
            }
          }
        }
        points.unpersist(/* blocking= */ false);
        return all.stream().mapToDouble(value -> value).toArray();
      }
    };

    abstract double[] run(JavaSparkContext spark);
  }

  @Test
  void work_underFaults_isStocks() {
    runAll("auto", "adaptive");
  }

  @ParameterizedTest
  @CsvSource({"stage, io.sparkata.testing.ScatterPolicy", "resident, adaptive"})
  @Tag("nightly") // "auto" has both
  void work_underFaultsByOneExecution_isStocks(String execution, String policy) {
    runAll(execution, policy);
  }

  private static void runAll(String execution, String policy) {
    Map<Work, double[]> stock = new EnumMap<>(Work.class);
    Mllib.withStock(
        spark -> List.of(Work.values()).forEach(work -> stock.put(work, work.run(spark))));
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "spark.ata.execution", execution,
                "spark.ata.policy", policy,
                "spark.ata.onError", "fallback",
                "spark.ata.route", "gradientDescent,lbfgs",
                "spark.ata.cache", "balance",
                "spark.plugins", FaultPlugin.PLUGINS,
                "spark.decommission.enabled", "true",
                "spark.storage.decommission.enabled", "true",
                "spark.storage.decommission.rddBlocks.enabled", "true",
                "spark.deploy.maxExecutorRetries", "-1"));
    settings.put("spark.task.maxFailures", "100"); // of ATTEMPTS, whichever else strikes
    settings.put("spark.stage.maxConsecutiveAttempts", "100");
    try (TestCluster cluster = TestCluster.startResident(settings)) {
      Leftovers leftovers = Leftovers.watch(cluster.context());
      Map<Work, Long> millis = new EnumMap<>(Work.class);
      for (int warm = 0; warm < 2; warm++) {
        for (Work work : Work.values()) {
          long start = System.nanoTime();
          assertSame(work.run(cluster.context()), stock.get(work));
          millis.put(work, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        }
      }
      LOG.info("Untroubled, ms: {}", millis);
      assertThat(cluster.counters().rounds.get()).as("of descents").isGreaterThan(4L * ITERATIONS);
      assertThat(cluster.evaluations().rounds.get()).as("of fits").isGreaterThan(2 * 3 * 8);
      for (long seed = SEED; seed < SEED + RUNS; seed++) {
        new Run(cluster, stock, millis, seed).run();
        leftovers.awaitNothingPersisted();
      }
      assertThat(cluster.counters().fallbacks).hasValue(0);
      assertThat(cluster.evaluations().fallbacks).hasValue(0);
    }
  }

  /** One run; waits until its faults are over. */
  private record Run(
      TestCluster cluster, Map<Work, double[]> stock, Map<Work, Long> millis, long seed) {
    void run() {
      Random random = new Random(seed);
      random.nextInt(); // the first values of neighbours are alike
      Work work = any(random, List.of(Work.values()));
      cluster.awaitExecutors(TestCluster.EXECUTORS);
      List<Long> pids = Processes.ofExecutors(cluster.context());
      List<CompletableFuture<Void>> faults = new ArrayList<>();
      List<String> plan = new ArrayList<>();
      for (int left = 1 + random.nextInt(MOST_FAULTS); left > 0; left--) {
        Nemesis nemesis = any(random, List.of(Nemesis.values()));
        long delay = (long) (random.nextDouble() * millis.get(work));
        long faultSeed = random.nextLong();
        plan.add(nemesis + " at " + delay);
        faults.add(
            CompletableFuture.runAsync(
                () -> {
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(delay));
                  nemesis.strike(cluster.context(), pids, faultSeed);
                }));
      }
      LOG.info("Seed {}: {}, {}", seed, work, plan);
      long start = System.nanoTime();
      try (CapturedLog log = CapturedLog.of("io.sparkata")) {
        double[] result = work.run(cluster.context());
        LOG.info("Seed {}: {} ms", seed, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        assertSame(result, stock.get(work));
        assertThat(log.messages(Level.WARN)).allMatch(line -> line.contains("is silent for"));
      } finally {
        faults.forEach(CompletableFuture::join);
      }
    }
  }

  private static <T> T any(Random random, List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private static void assertSame(double[] ours, double[] stocks) {
    Vector expected = Vectors.dense(stocks);
    double difference = Math.sqrt(Vectors.sqdist(Vectors.dense(ours), expected));
    assertThat(difference / Vectors.norm(expected, 2)).isLessThanOrEqualTo(TOLERANCE);
  }
}
