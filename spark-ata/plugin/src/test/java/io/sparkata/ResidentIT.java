package io.sparkata;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.ContextGradient;
import io.sparkata.testing.CountingGradient;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.Fitted;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.ResidentCluster;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Rounds by message on real executors: stock models, slots given back, and nothing left behind. */
class ResidentIT extends ResidentCluster {
  private static final int ROWS = 3000;
  private static final int ITERATIONS = 60;
  private static final int MANY = 300;
  private static final int LARGE_MODEL = 800_000;
  private static final int FIT_ITERATIONS = 20;

  private Tuple2<Vector, double[]> stock;
  private Fitted stockFit;

  private static Mllib training(JavaSparkContext spark, int iterations) {
    return Mllib.logistic(spark, ROWS, /* features= */ 30, /* partitions= */ 3, iterations);
  }

  private static Fitted fit(JavaSparkContext spark) {
    FitData data = FitData.even(spark, /* features= */ 30, /* sparse= */ false, 0.02, 6000, 3);
    return Fit.LOGISTIC.train(data, Fit.Terms.PLAIN, FIT_ITERATIONS);
  }

  @Override
  protected TestCluster start() {
    Mllib.withStock(
        spark -> {
          stock = training(spark, ITERATIONS).trainByMllib();
          stockFit = fit(spark);
        });
    return TestCluster.startResident(Map.of("spark.ata.route", "lbfgs"));
  }

  /** Another training finds its slots free. */
  @AfterEach
  void trainAgain() {
    training(cluster.context(), 5).trainBySparkAta(null);
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
    CompletableFuture<Tuple2<Vector, double[]>> result = inMidRun(this::trainMany);

    Processes.kill9(Processes.ofExecutors(cluster.context()).get(0));
    assertThat(result).as("killed in mid-run").isNotDone();
    long before = cluster.counters().residentRounds.get();

    Mllib.assertSame(result.join(), manyByMllib());
    assertThat(cluster.counters().residentRounds.get()).isGreaterThan(before + MANY / 3);
    assertThat(cluster.counters().fallbacks).hasValue(0);
  }

  @Test
  @Tag("nightly") // ResidentFaultsIT has a killed one
  void train_executorStopped_goesOnWithoutIt() {
    long stopped = Processes.ofExecutors(cluster.context()).get(0);
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      CompletableFuture<Tuple2<Vector, double[]>> result = inMidRun(this::trainMany);

      Processes.stop(stopped);
      assertThat(result).as("stopped in mid-run").isNotDone();

      Mllib.assertSame(result.join(), manyByMllib());
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
    assertYieldsSlots("long", () -> trainForLong("long"));
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
    CompletableFuture<Tuple2<Vector, double[]>> result = inMidRun(() -> trainForLong("cancelled"));

    cluster.context().cancelJobGroup("cancelled");

    assertThatThrownBy(result::join).hasStackTraceContaining("cancelled job group cancelled");
  }

  @Test
  void train_usersGradientThrows_failsAsAJobDoes() {
    assertGradientsExceptionEnds(training(cluster.context(), ITERATIONS));
  }

  @Test
  void train_gradientReadsItsTaskContext_runsAsJobs() {
    long resident = cluster.counters().residentRounds.get();
    Mllib curious = training(cluster.context(), ITERATIONS).with(new ContextGradient());

    Mllib.assertSame(curious.trainBySparkAta(null), stock);

    assertThat(cluster.counters().residentRounds).hasValue(resident);
    assertThat(cluster.counters().fallbacks).hasValue(0);
  }

  @Test
  void train_gradientHasAnAccumulator_runsAsJobsThatCount() {
    long resident = cluster.counters().residentRounds.get();
    long rounds = cluster.counters().rounds.get();
    LongAccumulator rows = cluster.context().sc().longAccumulator("rows");
    Mllib counting =
        training(cluster.context(), ITERATIONS).with(new CountingGradient(rows)).sampling(1.0);

    counting.trainBySparkAta(null);

    assertThat(rows.value()).isEqualTo(ROWS * (cluster.counters().rounds.get() - rounds));
    assertThat(cluster.counters().residentRounds).hasValue(resident);
  }

  /** Three executors' sums of so many weights are more than 2 Mi numbers. */
  @Test
  @Tag("nightly")
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

  /** The context routes no gradient descent. */
  private Tuple2<Vector, double[]> manyByMllib() {
    return training(cluster.context(), MANY).trainByMllib();
  }

  private CompletableFuture<Tuple2<Vector, double[]>> trainMany() {
    return CompletableFuture.supplyAsync(
        () -> training(cluster.context(), MANY).trainBySparkAta(null));
  }

  private CompletableFuture<Tuple2<Vector, double[]>> trainForLong(String group) {
    return cluster.startInGroup(
        group, () -> training(cluster.context(), /* iterations= */ 100_000).trainBySparkAta(null));
  }
}
