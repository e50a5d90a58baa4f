package io.sparkata;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.sparkata.testing.BrokenGradient;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.ContextGradient;
import io.sparkata.testing.CountingGradient;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.Fitted;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import scala.Tuple2;

/** Rounds by message on real executors: stock models, slots given back, and nothing left behind. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResidentIT {
  private static final int ROWS = 3000;
  private static final int FEATURES = 30;
  private static final int ITERATIONS = 60;
  private static final int MANY = 300;
  private static final int LONG = 100_000;
  private static final int LARGE_MODEL = 800_000;
  private static final int FIT_ITERATIONS = 20;

  private Tuple2<Vector, double[]> stock;
  private Tuple2<Vector, double[]> stockOfMany;
  private Fitted stockFit;
  private TestCluster cluster;
  private Leftovers leftovers;

  private static Mllib training(JavaSparkContext spark, int iterations) {
    RDD<Tuple2<Object, Vector>> data =
        TestData.partitions(spark, TestData.rows(ROWS, FEATURES, /* sparse= */ false, 3), 3);
    return new Mllib(data, new LogisticGradient(), 0.5, iterations, FEATURES);
  }

  private static Fitted fit(JavaSparkContext spark) {
    FitData data = FitData.even(spark, FEATURES, /* sparse= */ false, 0.02, 6000, 3);
    return Fit.LOGISTIC.train(data, Fit.Terms.PLAIN, FIT_ITERATIONS);
  }

  @BeforeAll
  void start() {
    Mllib.withStock(
        spark -> {
          stock = training(spark, ITERATIONS).trainByMllib();
          stockOfMany = training(spark, MANY).trainByMllib();
          stockFit = fit(spark);
        });
    cluster = TestCluster.startResident(Map.of("spark.ata.route", "lbfgs"));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @BeforeEach
  void watch() {
    cluster.awaitExecutors(TestCluster.EXECUTORS);
    leftovers = Leftovers.watch(cluster.context());
  }

  /** Another training finds its slots free. */
  @AfterEach
  void assertNothingLeft() {
    training(cluster.context(), 5).trainBySparkAta(null);
    leftovers.awaitNone();
  }

  @Test
  void train_byMessages_givesMllibsWeightsAndLearns() {
    long resident = cluster.counters().residentRounds.get();
    long rounds = cluster.counters().rounds.get();
    long observed = cluster.counters().observations.get();

    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      Mllib.assertSame(training(cluster.context(), ITERATIONS).trainBySparkAta(null), stock);

      assertThat(log.messages(Level.WARN)).isEmpty();
    }
    assertThat(cluster.counters().rounds.get() - rounds).isEqualTo(ITERATIONS + 1);
    assertThat(cluster.counters().residentRounds.get() - resident).isGreaterThan(ITERATIONS / 2);
    // Two tasks per executor and round; the last events may come after the training.
    assertThat(cluster.counters().observations.get() - observed).isGreaterThan(3 * ITERATIONS);
  }

  @Test
  void fit_byMessages_givesStockModel() {
    long resident = cluster.evaluations().residentRounds.get();

    fit(cluster.context()).assertSame(stockFit);

    assertThat(cluster.evaluations().residentRounds.get() - resident)
        .isGreaterThan(FIT_ITERATIONS / 2);
  }

  @Test
  @Tag("nightly") // ResidentClusterIT kills one between rounds, ResidentFaultsIT one at work
  void train_executorKilled_givesMllibsWeights() {
    long resident = cluster.counters().residentRounds.get();
    CompletableFuture<Tuple2<Vector, double[]>> result =
        CompletableFuture.supplyAsync(
            () -> training(cluster.context(), MANY).trainBySparkAta(null));
    cluster.awaitResidentRounds(resident + 20);

    Processes.kill9(Processes.ofExecutors(cluster.context()).get(0));
    assertThat(result).as("killed in mid-run").isNotDone();
    long before = cluster.counters().residentRounds.get();

    Mllib.assertSame(result.join(), stockOfMany);
    assertThat(cluster.counters().residentRounds.get()).isGreaterThan(before + MANY / 3);
    assertThat(cluster.counters().fallbacks).hasValue(0);
  }

  @Test
  void train_executorStopped_goesOnWithoutIt() {
    long stopped = Processes.ofExecutors(cluster.context()).get(0);
    long resident = cluster.counters().residentRounds.get();
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      CompletableFuture<Tuple2<Vector, double[]>> result =
          CompletableFuture.supplyAsync(
              () -> training(cluster.context(), MANY).trainBySparkAta(null));
      cluster.awaitResidentRounds(resident + 20);

      Processes.stop(stopped);
      assertThat(result).as("stopped in mid-run").isNotDone();

      Mllib.assertSame(result.join(), stockOfMany);
      assertThat(log.messages(Level.WARN))
          .singleElement(as(STRING))
          .contains("is silent for 1.5 s; rounds go on without it");
    } finally {
      Processes.goOn(stopped);
    }
    assertThat(cluster.counters().fallbacks).hasValue(0);
    cluster.awaitExecutors(TestCluster.EXECUTORS);
    leftovers.awaitNothingPersisted();
    Processes.kill9(stopped); // with its pieces of broadcasts that were destroyed meanwhile
  }

  @Test
  void train_anotherJobWaits_getsItsSlots() {
    long resident = cluster.counters().residentRounds.get();
    CompletableFuture<Tuple2<Vector, double[]>> result = trainForLong("long");
    cluster.awaitResidentRounds(resident + 20);

    long count = cluster.context().parallelize(IntStream.range(0, 60).boxed().toList(), 6).count();

    assertThat(count).isEqualTo(60);
    assertThat(result).as("all slots are the training's").isNotDone();
    long before = cluster.counters().residentRounds.get();
    cluster.awaitResidentRounds(before + 20); // it takes the slots again
    cluster.context().cancelJobGroup("long");
    assertThatThrownBy(result::join).hasStackTraceContaining("cancelled");
  }

  @Test
  void train_twoAtOnce_giveMllibsWeights() {
    List<CompletableFuture<Tuple2<Vector, double[]>>> both =
        IntStream.range(0, 2)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> training(cluster.context(), ITERATIONS).trainBySparkAta(null)))
            .toList();

    both.forEach(one -> Mllib.assertSame(one.join(), stock));
  }

  @Test
  void train_groupCancelled_endsAndFreesTheSlots() {
    long resident = cluster.counters().residentRounds.get();
    CompletableFuture<Tuple2<Vector, double[]>> result = trainForLong("cancelled");
    cluster.awaitResidentRounds(resident + 20);

    cluster.context().cancelJobGroup("cancelled");

    assertThatThrownBy(result::join).hasStackTraceContaining("cancelled job group cancelled");
  }

  @Test
  void train_usersGradientThrows_failsAsAJobDoes() {
    RDD<Tuple2<Object, Vector>> data = training(cluster.context(), 1).data();
    Mllib broken = new Mllib(data, new BrokenGradient(), 0.5, ITERATIONS, FEATURES);

    assertThatThrownBy(() -> broken.trainBySparkAta(null))
        .hasStackTraceContaining(BrokenGradient.MESSAGE);
  }

  @Test
  void train_gradientReadsItsTaskContext_runsAsJobs() {
    long resident = cluster.counters().residentRounds.get();
    RDD<Tuple2<Object, Vector>> data = training(cluster.context(), 1).data();
    Mllib curious = new Mllib(data, new ContextGradient(), 0.5, ITERATIONS, FEATURES);

    Mllib.assertSame(curious.trainBySparkAta(null), stock);

    assertThat(cluster.counters().residentRounds).hasValue(resident);
    assertThat(cluster.counters().fallbacks).hasValue(0);
  }

  @Test
  void train_gradientHasAnAccumulator_runsAsJobsThatCount() {
    long resident = cluster.counters().residentRounds.get();
    long rounds = cluster.counters().rounds.get();
    RDD<Tuple2<Object, Vector>> data = training(cluster.context(), 1).data();
    LongAccumulator rows = cluster.context().sc().longAccumulator("rows");
    Mllib counting =
        new Mllib(data, new CountingGradient(rows), /* fraction= */ 1.0, ITERATIONS, FEATURES);

    counting.trainBySparkAta(null);

    assertThat(rows.value()).isEqualTo(ROWS * (cluster.counters().rounds.get() - rounds));
    assertThat(cluster.counters().residentRounds).hasValue(resident);
  }

  /** Three executors' sums of so many weights are more than 2 Mi numbers. */
  @Test
  void train_sumsAreLarge_runsAsJobs() {
    long resident = cluster.counters().residentRounds.get();
    long rounds = cluster.counters().rounds.get();
    RDD<Tuple2<Object, Vector>> data =
        TestData.partitions(
            cluster.context(), TestData.rows(30, LARGE_MODEL, /* sparse= */ true, 3), 3);

    new Mllib(data, new LogisticGradient(), 1.0, 6, LARGE_MODEL).trainBySparkAta(null);

    assertThat(cluster.counters().rounds.get() - rounds).isEqualTo(7);
    assertThat(cluster.counters().residentRounds).hasValue(resident);
  }

  private CompletableFuture<Tuple2<Vector, double[]>> trainForLong(String group) {
    return cluster.startInGroup(
        group, () -> training(cluster.context(), LONG).trainBySparkAta(null));
  }
}
