package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Counters;
import io.sparkata.spark.CachedBlocks;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import scala.Tuple2;

/** The mode observe on real executors: MLlib trains, Spark ATA says what it saw. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObserveIT {
  private static final int ITERATIONS = 6;
  private static final String REPORT =
      "Spark ATA observed training \\d+: \\S+ at Mllib.java:\\d+: "
          + (ITERATIONS + 1)
          + " rounds in [0-9.]+ s by Spark; with allocation: not known yet";
  private static final String SLOWEST =
      "Spark ATA training \\d+: [0-9.]+ s a round.*; relative speeds( [0-2]=[0-9.]+){3}";

  private final TestCluster cluster =
      TestCluster.start(
          Map.of(
              "spark.ata.mode", "observe",
              "spark.ata.report", "log",
              "spark.ata.route", "gradientDescent,lbfgs"));

  @AfterAll
  void stop() {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      cluster.close();
      assertThat(log.messages(Level.INFO))
          .anySatisfy(
              line ->
                  assertThat(line)
                      .matches(
                          "Spark ATA observed in all: \\d+ trainings, \\d+ rounds, [0-9.]+ s in"
                              + " rounds; allocation would have saved .*"))
          .anySatisfy(
              line ->
                  assertThat(line)
                      .matches(
                          "Spark ATA: \\d+ stages over cached partitions took [0-9.]+ s in all;"
                              + " balanced ones would have saved [0-9.]+ s. Set"
                              + " spark.ata.mode=train"));
    }
  }

  @Test
  void train_routedAndByOurClass_isMllibsWithOneReportEach() {
    for (int partitions : new int[] {3, 8}) { // with eight, treeAggregate adds a stage
      try (CapturedLog log = CapturedLog.of("io.sparkata.report")) {
        long calls = cluster.counters().calls.get();
        Mllib training = training(partitions);
        Mllib.assertSame(training.trainBySparkAta(null), training.trainByMllib());

        assertTwoReports(log);
        assertThat(cluster.counters().calls.get() - calls).isEqualTo(2);
      }
    }
    assertThat(cluster.counters().rounds).hasValue(0);
    assertThat(cluster.counters().passedThrough).hasValue(0);
  }

  /** The figure is reported at the end. */
  @Test
  void reduce_oneExecutorIsSlow_movesNothing() {
    JavaRDD<Integer> numbers =
        cluster
            .context()
            .parallelize(IntStream.range(0, 600).boxed().toList(), 24)
            .map(number -> number)
            .cache();
    assertThat(numbers.count()).isEqualTo(600);
    List<CachedBlocks.Block> before = blocks(numbers);
    for (int job = 0; job < 12; job++) {
      numbers.foreach(
          number -> {
            if (SparkEnv.get().executorId().equals("1")) {
              LockSupport.parkNanos(2_000_000);
            }
          });
    }

    assertThat(blocks(numbers)).containsExactlyInAnyOrderElementsOf(before);
    numbers.unpersist(/* blocking= */ true);
  }

  private List<CachedBlocks.Block> blocks(JavaRDD<Integer> cached) {
    return CachedBlocks.of(cluster.context().sc(), List.of(cached.id()), 24);
  }

  @Test
  void train_twoAtOnce_areKeptApart() {
    try (CapturedLog log = CapturedLog.of("io.sparkata.report")) {
      List<Mllib> trainings = List.of(training(3), training(8));
      List<CompletableFuture<Tuple2<Vector, double[]>>> both =
          trainings.stream()
              .map(training -> CompletableFuture.supplyAsync(training::trainByMllib))
              .toList();
      both.forEach(CompletableFuture::join);

      assertTwoReports(log);
    }
  }

  @Test
  void fit_logisticRegression_isSparksWithOneReportOfAllEvaluations() {
    Dataset<Row> rows =
        new VectorAssembler()
            .setInputCols(new String[] {"x", "y"})
            .setOutputCol("features")
            .transform(
                SparkSession.builder()
                    .getOrCreate()
                    .range(0, 3000, 1, /* numPartitions= */ 8)
                    .selectExpr(
                        "double(id % 2) AS label", "rand(1) + id % 2 AS x", "rand(2) AS y"));
    Counters evaluations = cluster.runtime().evaluations();
    long before = evaluations.routed.get();
    try (CapturedLog log = CapturedLog.of("io.sparkata.report")) {
      LogisticRegressionModel model = new LogisticRegression().setMaxIter(5).fit(rows);

      int rounds = Math.toIntExact(evaluations.routed.get() - before);
      assertThat(model.summary().totalIterations()).isBetween(1, rounds);
      Awaitility.await().until(() -> log.messages(Level.INFO).size() == 2);
      List<String> lines = log.messages(Level.INFO);
      assertThat(lines.get(0))
          .matches(
              "Spark ATA observed training \\d+: logreg_\\w+, maxIter=5 at ObserveIT.java:\\d+: "
                  + rounds
                  + " rounds in .*");
      assertThat(lines.get(1)).matches(SLOWEST);
    }
    assertThat(evaluations.rounds).hasValue(0);
    assertThat(evaluations.fallbacks).hasValue(0);
  }

  private static void assertTwoReports(CapturedLog log) {
    List<String> lines = log.messages(Level.INFO);
    assertThat(lines).hasSize(4);
    assertThat(lines.stream().filter(line -> line.matches(REPORT))).hasSize(2);
    assertThat(lines.stream().filter(line -> line.matches(SLOWEST))).hasSize(2);
  }

  private Mllib training(int partitions) {
    RDD<Tuple2<Object, Vector>> rows =
        TestData.partitions(
            cluster.context(), TestData.rows(3000, 10, false, partitions), partitions);
    rows.persist(StorageLevel.MEMORY_ONLY()).count(); // while all executors are idle
    return new Mllib(rows, new LogisticGradient(), 0.5, ITERATIONS, 10);
  }
}
