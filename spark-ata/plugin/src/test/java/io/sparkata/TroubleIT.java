package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.BrokenGradient;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.FailingPolicy;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import io.sparkata.testing.UserGradient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.rdd.RDD;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import scala.Tuple2;

/** Failures of Spark ATA, failures of the user's code, and several trainings at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TroubleIT {
  private static final int FEATURES = 10;
  private static final int ITERATIONS = 12;

  /** The last four rounds of a training form no crew. */
  private static final int LARGE_ITERATIONS = 6;

  private TestCluster cluster;
  private Leftovers leftovers;

  @BeforeAll
  void start() {
    cluster =
        TestCluster.start(
            Map.of(
                "spark.master", "local-cluster[3,2,1024]", // two slots each
                "spark.ata.onError", "fallback",
                "spark.ata.blockSize", "16k",
                "spark.serializer", "org.apache.spark.serializer.KryoSerializer"));
    leftovers = Leftovers.watch(cluster.context());
    new Mllib(rows(0), new LogisticGradient(), 1.0, ITERATIONS, FEATURES)
        .trainBySparkAta(null); // a cancelled one does not show its accumulators
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void train_policyFailsInMidRun_goesOnByMllibsPathWithOneWarning() {
    Mllib training = new Mllib(rows(1), new LogisticGradient(), 0.3, ITERATIONS, FEATURES);
    long roundsBefore = cluster.counters().rounds.get();
    long fallbacksBefore = cluster.counters().fallbacks.get();

    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      Tuple2<Vector, double[]> ours = training.trainBySparkAta(FailingPolicy.class.getName());

      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: cannot run round 10 (the policy breaks on purpose); this training goes on"
                  + " by MLlib's own path from here. Set spark.ata.onError=fail to have the"
                  + " exception instead, or spark.ata.enabled=false");
      Mllib.assertSame(ours, training.trainByMllib());
    }
    assertThat(cluster.counters().rounds.get() - roundsBefore)
        .isEqualTo(FailingPolicy.FAILING_ROUND - 1);
    assertThat(cluster.counters().fallbacks.get() - fallbacksBefore).isEqualTo(1);
    leftovers.assertNone(Long.MAX_VALUE);
  }

  @Test
  void train_usersGradientFails_failsAsMllibFails() {
    Mllib training = new Mllib(rows(2), new BrokenGradient(), 1.0, ITERATIONS, FEATURES);

    assertThatThrownBy(training::trainByMllib).hasMessageContaining(BrokenGradient.MESSAGE);
    assertThatThrownBy(() -> training.trainBySparkAta(null))
        .hasMessageContaining(BrokenGradient.MESSAGE);
    assertThat(cluster.runtime().openCalls()).isZero();
  }

  @Test
  void train_jobCancelled_doesNotStartAgain() {
    Mllib training = new Mllib(rows(3), new LogisticGradient(), 1.0, 100_000, FEATURES);
    long fallbacksBefore = cluster.counters().fallbacks.get();
    long roundsBefore = cluster.counters().rounds.get();
    CompletableFuture<Tuple2<Vector, double[]>> result =
        cluster.startInGroup("to be cancelled", () -> training.trainBySparkAta("uniform"));
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> cluster.counters().rounds.get() > roundsBefore + 3);

    // A cancellation may fall between two jobs: it is repeated until it meets one.
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              cluster.context().cancelJobGroup("to be cancelled");
              return result.isDone();
            });

    assertThatThrownBy(result::join).hasMessageContaining("cancelled");
    assertThat(cluster.counters().fallbacks).hasValue(fallbacksBefore);
    leftovers.assertNone(Long.MAX_VALUE);
  }

  @Test
  @Tag("nightly") // ResidentIT has two at once
  void train_threeAtOnce_eachGivesMllibsWeights() {
    List<Mllib> trainings =
        List.of(
            new Mllib(rows(4), new LogisticGradient(), 0.3, ITERATIONS, FEATURES),
            new Mllib(rows(5), new HingeGradient(), 0.5, ITERATIONS, FEATURES),
            new Mllib(rows(6), new UserGradient(), 1.0, ITERATIONS, FEATURES));
    List<String> policies = List.of("adaptive", "ata", "uniform");

    ExecutorService atOnce = Executors.newFixedThreadPool(trainings.size());
    List<CompletableFuture<Tuple2<Vector, double[]>>> ours =
        IntStream.range(0, trainings.size())
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> trainings.get(i).trainBySparkAta(policies.get(i)), atOnce))
            .toList();
    atOnce.shutdown();

    for (int i = 0; i < trainings.size(); i++) {
      Mllib.assertSame(ours.get(i).join(), trainings.get(i).trainByMllib());
    }
    assertThat(cluster.runtime().openCalls()).isZero();
  }

  @Test
  void train_largeModel_leavesNoBroadcast() {
    int features = 40_000; // past the size that travels in a job's task
    Mllib training =
        new Mllib(
            TestData.partitions(cluster.context(), TestData.rows(200, features, true, 7), 3),
            new LeastSquaresGradient(),
            1.0,
            LARGE_ITERATIONS,
            features);

    Mllib.assertSame(training.trainBySparkAta(null), training.trainByMllib());
    leftovers.assertNone(/* modelBytes= */ 8L * features);
  }

  private RDD<Tuple2<Object, Vector>> rows(long seed) {
    return TestData.partitions(
        cluster.context(), TestData.rows(1500, FEATURES, seed % 2 == 0, seed), 4);
  }
}
