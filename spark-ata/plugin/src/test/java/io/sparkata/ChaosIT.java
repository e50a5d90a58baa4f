package io.sparkata;

import static java.util.stream.Collectors.joining;
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
import io.sparkata.testing.YarnCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.clustering.KMeans;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.mllib.tree.RandomForest;
import org.apache.spark.mllib.tree.model.RandomForestModel;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * Trainings and other jobs over cached data under one to three faults at any time: stock's results,
 * no failure of Spark ATA, nothing left. Runs others by {@code scripts/test --long chaos}. A seed
 * gives the same work and faults, but not the same interleaving; a run of a plan is a line as the
 * log has it.
 */
class ChaosIT {
  private static final Logger LOG = LoggerFactory.getLogger(ChaosIT.class);
  private static final int RUNS = Integer.getInteger("ata.chaos.runs", 6);
  private static final long SEED = Long.getLong("ata.chaos.seed", 4174537); // six with 15 faults

  /** The second pass over the works shows how long they take in warm JVMs: about half as long. */
  private static final int WARMING = RUNS > 6 ? 2 : 1;

  private static final Optional<Path> PLAN =
      Optional.ofNullable(System.getProperty("ata.chaos.plan")).map(Path::of);
  private static final boolean IS_ON_YARN = Boolean.getBoolean("ata.chaos.yarn");
  private static final int MOST_FAULTS = 3;
  private static final int FEATURES = 20;
  private static final int PARTITIONS = 7;
  private static final int ITERATIONS = 100;
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
                .parallelize(IntStream.range(0, 50_000).boxed().toList(), 4 * PARTITIONS)
                .map(i -> Vectors.dense(i % 97, i % 89, i % 7))
                .cache();
        Vector[] centers =
            KMeans.train(points.rdd(), /* k= */ 5, /* maxIterations= */ 10, "random", /* seed= */ 1)
                .clusterCenters();
        points.unpersist(/* blocking= */ false);
        return Stream.of(centers).flatMapToDouble(one -> DoubleStream.of(one.toArray())).toArray();
      }
    },
    /** Stages of Spark's own over cached rows and over those that trees bag and cache. */
    FOREST {
      @Override
      double[] run(JavaSparkContext spark) {
        JavaRDD<LabeledPoint> rows =
            spark
                .parallelize(IntStream.range(0, 40_000).boxed().toList(), 4 * PARTITIONS)
                .map(
                    i ->
                        new LabeledPoint(
                            i * i % 7 > 3 ? 1 : 0, Vectors.dense(i % 97, i % 89, i % 7)))
                .cache();
        RandomForestModel forest =
            RandomForest.trainClassifier(
                rows, 2, Map.of(), /* numTrees= */ 5, "auto", "gini", /* maxDepth= */ 5, 16, 3);
        rows.unpersist(/* blocking= */ false);
        return IntStream.range(0, 500)
            .mapToDouble(i -> 1 + forest.predict(Vectors.dense(i % 97, i % 89, i % 7)))
            .toArray();
      }
    },
    /** Aggregates of a cached table, alone and joined with another one. */
    TABLE {
      @Override
      double[] run(JavaSparkContext spark) {
        SparkSession session = SparkSession.builder().sparkContext(spark.sc()).getOrCreate();
        session.conf().set("spark.sql.shuffle.partitions", "4");
        Dataset<Row> table =
            session
                .range(0, 100_000, 1, 4 * PARTITIONS)
                .selectExpr("id % 97 AS key", "id % 13 AS other", "id AS value")
                .cache();
        Dataset<Row> few =
            session.range(0, 13, 1, 3).selectExpr("id AS other", "id * id AS factor");
        List<Double> all = new ArrayList<>();
        for (int time = 0; time < 3; time++) {
          table.groupBy("key").sum("value").orderBy("key").collectAsList().stream()
              .map(row -> (double) row.getLong(1))
              .forEach(all::add);
          table
              .join(few, "other")
              .groupBy("other")
              .agg(functions.sum("factor"), functions.max("value"))
              .orderBy("other")
              .collectAsList()
              .forEach(
                  row -> all.addAll(List.of((double) row.getLong(1), (double) row.getLong(2))));
        }
        table.unpersist(/* blocking= */ false);
        return all.stream().mapToDouble(value -> value).toArray();
      }
    };

    abstract double[] run(JavaSparkContext spark);
  }

  private static final Set<Work> DESCENTS = Set.of(Work.DESCENT, Work.DESCENT_OVER_CACHED_ROWS);

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
    Set<Work> works = works();
    Mllib.withStock(spark -> works.forEach(work -> stock.put(work, work.run(spark))));
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
    settings.put("spark.task.maxFailures", "100000"); // within one of ATTEMPTS or FULL_DISK
    settings.put("spark.stage.maxConsecutiveAttempts", "100");
    settings.put("spark.storage.decommission.replicationReattemptInterval", "1s"); // not 30 s
    if (IS_ON_YARN) {
      settings.putAll(YarnCluster.settings("--speeds 1,1,1 --cores 2"));
      settings.put("spark.executor.cores", "2");
    }
    try (TestCluster cluster = TestCluster.startResident(settings)) {
      Leftovers leftovers = Leftovers.watch(cluster.context());
      Map<Work, Long> millis = new EnumMap<>(Work.class);
      for (int warm = 0; warm < WARMING; warm++) {
        for (Work work : works) {
          long start = System.nanoTime();
          assertSame(work.run(cluster.context()), stock.get(work));
          long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
          millis.put(work, took * WARMING / 2);
        }
      }
      LOG.info("Untroubled, ms: {}", millis);
      long descents = works.stream().filter(DESCENTS::contains).count();
      assertThat(cluster.counters().rounds.get())
          .as("of descents, in each pass")
          .isGreaterThanOrEqualTo(WARMING * descents * ITERATIONS);
      if (works.contains(Work.FITS)) {
        assertThat(cluster.evaluations().rounds.get())
            .as("of fits")
            .isGreaterThan(3L * 8 * WARMING);
      }
      Set<Nemesis> impossible = Nemesis.impossible(cluster.context());
      List<Run> runs = runs(millis).stream().map(run -> run.without(impossible)).toList();
      for (Run run : runs) {
        run.on(cluster, stock.get(run.work));
        leftovers.awaitNothingPersisted();
      }
      assertThat(cluster.counters().fallbacks).hasValue(0);
      assertThat(cluster.evaluations().fallbacks).hasValue(0);
      System.out.printf("chaos %s runs=%d%s%n", execution, runs.size(), counts(runs, impossible));
    }
  }

  /** What the runs do; the rest need no comparison. */
  private static Set<Work> works() {
    Map<Work, Long> unknown = new EnumMap<>(Work.class);
    Stream.of(Work.values()).forEach(work -> unknown.put(work, 0L));
    return runs(unknown).stream()
        .map(Run::work)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Work.class)));
  }

  /** Of the plan, else of the seeds. */
  private static List<Run> runs(Map<Work, Long> millis) {
    return PLAN.map(ChaosIT::planned)
        .orElseGet(
            () ->
                LongStream.range(SEED, SEED + RUNS)
                    .mapToObj(seed -> Run.ofSeed(seed, millis))
                    .toList());
  }

  private static List<Run> planned(Path plan) {
    try {
      return Files.readAllLines(plan).stream()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Run::parse)
          .toList();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** How often each fault struck, as {@code KILL=3}; of those that cannot, {@code impossible}. */
  private static String counts(List<Run> runs, Set<Nemesis> impossible) {
    StringBuilder text = new StringBuilder();
    for (Nemesis nemesis : Nemesis.values()) {
      long strikes =
          runs.stream()
              .flatMap(run -> run.strikes.stream())
              .filter(strike -> strike.nemesis == nemesis)
              .count();
      text.append(' ').append(nemesis).append('=');
      text.append(impossible.contains(nemesis) ? "impossible" : strikes);
    }
    return text.toString();
  }

  /** So many milliseconds after the work's start; written as {@code KILL@1329#7}. */
  private record Strike(Nemesis nemesis, long millis, long seed) {
    static Strike parse(String text) {
      String[] parts = text.split("[@#]", -1);
      return new Strike(
          Nemesis.valueOf(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }

    CompletableFuture<Void> start(TestCluster cluster, List<Long> pids) {
      return CompletableFuture.runAsync(
          () -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
            nemesis.strike(cluster.context(), pids, seed);
          });
    }

    @Override
    public String toString() {
      return nemesis + "@" + millis + "#" + seed;
    }
  }

  /** A work and its faults; written as {@code FITS KILL@1329#7 DROP@20#8}. */
  private record Run(Work work, List<Strike> strikes) {
    static Run ofSeed(long seed, Map<Work, Long> millis) {
      Random random = new Random(seed);
      random.nextInt(); // the first values of neighbours are alike
      Work work = any(random, List.of(Work.values()));
      List<Strike> strikes = new ArrayList<>();
      for (int left = 1 + random.nextInt(MOST_FAULTS); left > 0; left--) {
        strikes.add(
            new Strike(
                any(random, List.of(Nemesis.values())),
                (long) (random.nextDouble() * millis.get(work)),
                random.nextInt(1000)));
      }
      return new Run(work, strikes);
    }

    /** Other faults and works of a seed are the same wherever it runs. */
    Run without(Set<Nemesis> impossible) {
      List<Strike> possible =
          strikes.stream().filter(strike -> !impossible.contains(strike.nemesis)).toList();
      if (possible.size() < strikes.size()) {
        LOG.warn("{}: left out, as this machine or cluster cannot have {}", this, impossible);
      }
      return new Run(work, possible);
    }

    static Run parse(String line) {
      String[] parts = line.trim().split(" +", -1);
      return new Run(Work.valueOf(parts[0]), Stream.of(parts).skip(1).map(Strike::parse).toList());
    }

    /** Waits until the faults are over. */
    void on(TestCluster cluster, double[] stock) {
      cluster.awaitExecutors(TestCluster.EXECUTORS);
      List<Long> pids = Processes.ofExecutors(cluster.context());
      List<CompletableFuture<Void>> faults =
          strikes.stream().map(strike -> strike.start(cluster, pids)).toList();
      LOG.info("Run: {}", this);
      long start = System.nanoTime();
      try (CapturedLog log = CapturedLog.of("io.sparkata")) {
        double[] result = work.run(cluster.context());
        LOG.info("Done in {} ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        assertSame(result, stock);
        assertThat(log.messages(Level.WARN))
            .as("in %s", this)
            .allMatch(line -> line.contains("is silent for"));
      } finally {
        faults.forEach(CompletableFuture::join);
      }
    }

    @Override
    public String toString() {
      return work + strikes.stream().map(strike -> " " + strike).collect(joining());
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
