package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.observation.ObservedSums;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import scala.Tuple2;

/** The mode observe on real executors: MLlib trains, Spark ATA says what it saw. */
@Tag("spark")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObserveIT {
  private static final int ITERATIONS = 6;
  private static final String REPORT =
      "Spark ATA observed training \\d+: \\S+ at \\w+.java:\\d+, "
          + (ITERATIONS + 1)
          + " rounds of [0-9.]+ s by MLlib, [0-9.]+ s with allocation \\([0-9]+ % less\\), [0-9.]+ s"
          + " and [0-9.]+ s in all";
  private static final String SLOWEST =
      "Spark ATA training \\d+: slowest host \\S+ \\(executor [0-2]\\), .*; relative speeds"
          + "( [0-2]=[0-9.]+){3}";

  private TestCluster cluster;

  @BeforeAll
  void start() {
    cluster =
        TestCluster.start(
            Map.of(
                "spark.ata.mode", "observe",
                "spark.ata.report", "log",
                "spark.ata.route", "gradientDescent"));
  }

  @AfterAll
  void stop() {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      cluster.close();
      assertThat(log.messages(Level.INFO))
          .anySatisfy(
              line ->
                  assertThat(line)
                      .matches(
                          "Spark ATA observed: \\d+ trainings, \\d+ rounds, [0-9.]+ s by MLlib;"
                              + " allocation would have saved [0-9.]+ s \\([0-9]+ %\\)"));
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

  /** As L-BFGS does: one sum a call, the first of which computes and caches the data. */
  @Test
  void evaluate_sumsOfOnePersistedRdd_areOneTraining() {
    JavaRDD<Integer> sizes =
        TestData.partitions(cluster.context(), TestData.rows(3000, 10, false, 8), 8)
            .toJavaRDD()
            .map(row -> row._2().size())
            .persist(StorageLevel.MEMORY_AND_DISK());
    try (CapturedLog log = CapturedLog.of("io.sparkata.report")) {
      ObservedSums sums =
          cluster
              .runtime()
              .observer()
              .orElseThrow()
              .open(cluster.runtime().reporter().begin(1), sizes.id());
      for (int evaluation = 0; evaluation <= ITERATIONS; evaluation++) {
        int sum = sums.evaluate(() -> sizes.treeAggregate(0, Integer::sum, Integer::sum));
        assertThat(sum).isEqualTo(30_000);
      }
      sums.end();

      List<String> lines = log.messages(Level.INFO);
      assertThat(lines).hasSize(2);
      assertThat(lines.get(0)).matches(REPORT);
      assertThat(lines.get(1)).matches(SLOWEST);
    }
    assertThat(cluster.counters().rounds).hasValue(0);
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
