package io.sparkata.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Executor;
import io.sparkata.spark.CachedBlocks;
import io.sparkata.spark.CachedBlocks.Block;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Nemesis;
import io.sparkata.testing.Processes;
import io.sparkata.testing.TestCluster;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.lib.PageRank;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.classification.GBTClassificationModel;
import org.apache.spark.ml.classification.GBTClassifier;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.classification.RandomForestClassificationModel;
import org.apache.spark.ml.classification.RandomForestClassifier;
import org.apache.spark.ml.clustering.GaussianMixture;
import org.apache.spark.ml.clustering.GaussianMixtureModel;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.feature.StandardScaler;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerUnpersistRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Jobs over cached data whose partitions move at random while they run: the results are those
 * without moves. The test gives the orders; the executors' part is the plugin's.
 */
@Tag("spark")
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForcedMovesIT {
  private static final int RUNS = Integer.getInteger("ata.moves.runs", 2);
  private static final int FAULTS = Integer.getInteger("ata.moves.faults", 2); // of each work
  private static final int PARTITIONS = 12;
  private static final int ROWS = 1200;
  private static final double TOLERANCE = 1e-6; // of sums in another order

  private static Optional<CacheMember> member = Optional.empty();

  private final TestCluster cluster =
      TestCluster.start(
          Map.of(
              "spark.ata.cache", "off",
              "spark.ata.route", "gradientDescent,lbfgs",
              "spark.deploy.maxExecutorRetries", "-1"));
  private final CacheMoves moves = new CacheMoves(cluster.context().sc(), /* isOpen= */ true);
  private final Leftovers leftovers = Leftovers.watch(cluster.context());
  private final Mover mover = new Mover();

  /**
   * After each stage, orders moves of a third of the partitions of each persisted RDD, unless some
   * of it are on their way.
   */
  private final class Mover extends SparkListener {
    private final Random random = new Random(1);
    private int ordered;
    private volatile boolean isOn;
    private final AtomicReference<Runnable> next = new AtomicReference<>(); // null if there is none
    private volatile CompletableFuture<Void> struck = CompletableFuture.completedFuture(null);

    /** Strikes once, within a second after moves are ordered: executors ask once a second. */
    void strikeOnce(Runnable strike) {
      next.set(strike);
    }

    @Override
    public void onStageCompleted(SparkListenerStageCompleted event) {
      if (isOn) {
        moves.retain(Set.copyOf(ids()));
        int before = ordered;
        cluster.context().getPersistentRDDs().keySet().forEach(this::moveSome);
        Runnable strike = ordered > before ? next.getAndSet(null) : null;
        if (strike != null) {
          long nanos = TimeUnit.MILLISECONDS.toNanos(random.nextInt(1000));
          struck =
              CompletableFuture.runAsync(
                  () -> {
                    LockSupport.parkNanos(nanos);
                    strike.run();
                  });
        }
      }
    }

    private List<String> ids() {
      return cluster.runtime().cluster().staying().stream().map(Executor::id).sorted().toList();
    }

    private void moveSome(int rdd) {
      List<Block> blocks =
          CachedBlocks.of(cluster.context().sc(), List.of(rdd), /* partitions= */ 1000);
      if (!moves.canMove(rdd)) {
        blocks.stream().limit(1).forEach(one -> moves.probe(one, /* factor= */ 1));
        return;
      }
      List<String> ids = ids();
      for (Block block : blocks) {
        String to = ids.get(random.nextInt(ids.size()));
        if (block.isMovable() && random.nextInt(3) == 0 && !block.executor().equals(to)) {
          moves.add(List.of(block), to);
          ordered++;
        }
      }
    }

    @Override
    public void onUnpersistRDD(SparkListenerUnpersistRDD event) {
      moves.forget(event.rddId());
    }
  }

  private enum Fault {
    KILL,
    DROP,
    PRESSURE,
    CANCEL;

    void strike(JavaSparkContext spark, long seed) {
      if (this == CANCEL) {
        spark.sc().cancelAllJobs();
      } else {
        Nemesis.valueOf(name()).strike(spark, Processes.ofExecutors(spark), seed);
      }
    }
  }

  @SuppressWarnings("ImmutableEnumChecker")
  private enum Work {
    K_MEANS {
      @Override
      List<Double> run(Dataset<Row> rows) {
        return Stream.of(new KMeans().setK(4).setMaxIter(6).setSeed(1).fit(rows).clusterCenters())
            .flatMapToDouble(center -> DoubleStream.of(center.toArray()))
            .boxed()
            .toList();
      }
    },
    GAUSSIAN_MIXTURE {
      @Override
      List<Double> run(Dataset<Row> rows) {
        GaussianMixtureModel model =
            new GaussianMixture().setK(2).setMaxIter(4).setSeed(1).fit(rows);
        return DoubleStream.concat(
                DoubleStream.of(model.weights()),
                Stream.of(model.gaussians())
                    .flatMapToDouble(one -> DoubleStream.of(one.mean().toArray())))
            .boxed()
            .toList();
      }
    },
    FOREST {
      @Override
      List<Double> run(Dataset<Row> rows) {
        RandomForestClassificationModel model =
            new RandomForestClassifier().setNumTrees(5).setMaxDepth(4).setSeed(1).fit(rows);
        return predictions(model.transform(rows));
      }
    },
    BOOSTED_TREES {
      @Override
      List<Double> run(Dataset<Row> rows) {
        GBTClassificationModel model =
            new GBTClassifier().setMaxIter(4).setMaxDepth(3).setSeed(1).fit(rows);
        return predictions(model.transform(rows));
      }
    },
    /** Its fits are Spark ATA's. */
    CROSS_VALIDATION {
      @Override
      List<Double> run(Dataset<Row> rows) {
        LogisticRegression fit =
            new LogisticRegression().setFeaturesCol("scaled").setMaxIter(4).setTol(0);
        StandardScaler scaler = new StandardScaler().setInputCol("features").setOutputCol("scaled");
        ParamMap[] grid =
            new ParamGridBuilder().addGrid(fit.regParam(), new double[] {0.01, 0.1}).build();
        CrossValidator validator =
            new CrossValidator()
                .setEstimator(new Pipeline().setStages(new PipelineStage[] {scaler, fit}))
                .setEvaluator(new BinaryClassificationEvaluator())
                .setEstimatorParamMaps(grid)
                .setNumFolds(2)
                .setSeed(1);
        CrossValidatorModel model = validator.fit(rows);
        LogisticRegressionModel best =
            (LogisticRegressionModel) ((PipelineModel) model.bestModel()).stages()[1];
        return DoubleStream.concat(
                DoubleStream.of(model.avgMetrics()), DoubleStream.of(best.coefficients().toArray()))
            .boxed()
            .toList();
      }
    },
    TABLES {
      @Override
      List<Double> run(Dataset<Row> rows) {
        Dataset<Row> others =
            rows.sparkSession().range(0, 97, 1, 3).selectExpr("id AS a", "id * id AS c").cache();
        List<Double> all = new ArrayList<>();
        for (int time = 0; time < 4; time++) {
          rows.join(others, "a")
              .groupBy("b")
              .sum("c")
              .orderBy("b")
              .collectAsList()
              .forEach(row -> all.add((double) row.getLong(1)));
        }
        others.unpersist(/* blocking= */ true);
        return all;
      }
    },
    PAGE_RANK {
      @Override
      List<Double> run(Dataset<Row> rows) {
        ClassTag<Integer> integers = ClassTag$.MODULE$.apply(Integer.class);
        JavaSparkContext spark = new JavaSparkContext(rows.sparkSession().sparkContext());
        Graph<Integer, Integer> graph =
            Graph.fromEdges(
                spark
                    .parallelize(IntStream.range(0, ROWS).boxed().toList(), PARTITIONS)
                    .map(i -> new Edge<>(i * 7L % 97, i * 13L % 89, 1))
                    .rdd(),
                1,
                StorageLevel.MEMORY_ONLY(),
                StorageLevel.MEMORY_ONLY(),
                integers,
                integers);
        return PageRank.run(graph, 4, 0.15, integers, integers)
            .vertices()
            .toJavaRDD()
            .collect()
            .stream()
            .sorted(Comparator.comparing(one -> (Long) one._1()))
            .map(one -> (Double) one._2())
            .toList();
      }
    };

    abstract List<Double> run(Dataset<Row> rows);

    private static List<Double> predictions(Dataset<Row> predicted) {
      return predicted.orderBy("id").select("probability").collectAsList().stream()
          .map(row -> ((Vector) row.get(0)).apply(0))
          .toList();
    }
  }

  /** Of this JVM, an executor's. */
  private static synchronized void startMember() {
    if (member.isEmpty()) {
      member = Optional.of(CacheMember.start());
    }
  }

  @BeforeAll
  void start() {
    startMembers();
    cluster.context().sc().addSparkListener(mover);
  }

  private void startMembers() {
    int tasks = 20 * TestCluster.EXECUTORS; // some for each
    cluster
        .context()
        .parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
        .foreach(
            task -> {
              startMember();
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            });
  }

  @AfterAll
  void stop() {
    moves.close();
    cluster.close();
  }

  private Dataset<Row> rows() {
    Dataset<Row> made =
        SparkSession.builder()
            .sparkContext(cluster.context().sc())
            .config("spark.sql.shuffle.partitions", "4")
            .getOrCreate()
            .range(0, ROWS, 1, PARTITIONS)
            .selectExpr(
                "id", "id % 97 AS a", "id % 89 AS b", "CAST(id * id % 7 > 3 AS DOUBLE) AS label");
    return new VectorAssembler()
        .setInputCols(new String[] {"a", "b"})
        .setOutputCol("features")
        .transform(made)
        .cache();
  }

  private List<Double> run(Work work) {
    Dataset<Row> rows = rows();
    try {
      rows.count();
      return work.run(rows);
    } finally {
      cluster.context().getPersistentRDDs().values().forEach(rdd -> rdd.unpersist(true));
      rows.unpersist(/* blocking= */ true);
    }
  }

  @ParameterizedTest
  @EnumSource(Work.class)
  void run_partitionsMove_isWhatItIsWithoutMoves(Work work) {
    mover.isOn = false;
    List<Double> expected = run(work);
    int before = moves.moved();
    mover.isOn = true;
    for (int i = 0; i < RUNS || (moves.moved() < before + 3 && i < 20); i++) {
      assertSame(run(work), expected);
      leftovers.awaitNothingPersisted();
    }
    assertThat(moves.moved() - before).as("moves").isGreaterThanOrEqualTo(3);
    if (work == Work.CROSS_VALIDATION) {
      assertThat(cluster.evaluations().rounds.get()).as("of its fits").isPositive();
    }
    System.out.printf("forced moves %s moved=%d%n", work, moves.moved() - before);
  }

  private static void assertSame(List<Double> result, List<Double> expected) {
    assertThat(result).hasSameSizeAs(expected);
    for (int j = 0; j < result.size(); j++) {
      double allowed = TOLERANCE * Math.max(1, Math.abs(expected.get(j)));
      assertThat(Math.abs(result.get(j) - expected.get(j))).isLessThanOrEqualTo(allowed);
    }
  }

  @ParameterizedTest
  @EnumSource(Work.class)
  void run_faultWhilePartitionsMove_isWhatItIsWithoutMoves(Work work) {
    mover.isOn = false;
    cluster.awaitExecutors(TestCluster.EXECUTORS);
    List<Double> expected = run(work);
    int before = moves.moved();
    Random random = new Random(work.name().hashCode());
    int first = random.nextInt(Fault.values().length);
    Map<Fault, Integer> strikes = new EnumMap<>(Fault.class);
    int struck = 0;
    for (int i = 0; i < 10 * FAULTS && struck < FAULTS; i++) {
      mover.isOn = false;
      cluster.awaitExecutors(TestCluster.EXECUTORS);
      startMembers(); // of executors that have come
      mover.isOn = true;
      Fault fault = Fault.values()[(first + struck) % Fault.values().length];
      long seed = random.nextInt(1000);
      mover.strikeOnce(() -> fault.strike(cluster.context(), seed));
      assertSame(fault == Fault.CANCEL ? runAgain(work) : run(work), expected);
      mover.struck.join();
      if (mover.next.get() == null) {
        struck++;
        strikes.merge(fault, 1, Integer::sum);
      }
      leftovers.awaitNothingPersisted();
    }
    System.out.printf(
        "forced moves %s faults=%s moved=%d%n", work, strikes, moves.moved() - before);
    assertThat(struck).as("faults while partitions move").isEqualTo(FAULTS);
    assertThat(moves.moved() - before).as("moves").isPositive();
  }

  /** Once more if its jobs were cancelled. */
  private List<Double> runAgain(Work work) {
    try {
      return run(work);
    } catch (Exception cancelled) {
      assertThat(cancelled).hasStackTraceContaining("cancel");
      return run(work);
    }
  }
}
