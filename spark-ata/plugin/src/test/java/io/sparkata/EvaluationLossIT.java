package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.Fitted;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.TestCluster;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.api.java.JavaSparkContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** kill -9 of an executor between evaluations: the stock model, and nothing left behind. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EvaluationLossIT {
  private static final int FEATURES = 40;
  private static final int ROWS = 12_000;
  private static final int ITERATIONS = 25;
  private static final int KILL_AFTER_ROUNDS = 4;
  private static final double BLOCK_MEGABYTES = 0.02;

  private final Map<Fit, Fitted> stock = new EnumMap<>(Fit.class);
  private TestCluster cluster;

  private static Fitted train(JavaSparkContext spark, Fit fit) {
    FitData data = FitData.even(spark, FEATURES, /* sparse= */ false, BLOCK_MEGABYTES, ROWS, 3);
    return fit.train(data, Fit.Terms.PLAIN, ITERATIONS);
  }

  @BeforeAll
  void start() {
    List<Fit> fits = List.of(Fit.LOGISTIC, Fit.MLLIB_OPTIMIZER);
    Mllib.withStock(spark -> fits.forEach(fit -> stock.put(fit, train(spark, fit))));
    // Even shares of three even partitions: each executor is the only holder of some blocks.
    cluster =
        TestCluster.start(
            Map.of(
                "spark.ata.route", "lbfgs",
                "spark.ata.policy", "uniform",
                "spark.ata.blockSize", "64k"));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"LOGISTIC", "MLLIB_OPTIMIZER"})
  void fit_onlyHolderOfBlocksKilled_givesStockModelAndLeavesNothing(Fit fit) {
    cluster.awaitExecutors(TestCluster.EXECUTORS);
    Leftovers leftovers = Leftovers.watch(cluster.context());
    List<Long> executors = Processes.ofExecutors(cluster.context());
    long rounds = cluster.evaluations().rounds.get();
    long repacked = cluster.evaluations().repackedPartitions.get();
    CompletableFuture<Fitted> result =
        CompletableFuture.supplyAsync(() -> train(cluster.context(), fit));
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(2))
        .until(() -> cluster.evaluations().rounds.get() - rounds >= KILL_AFTER_ROUNDS);

    Processes.kill9(executors.get(0));
    assertThat(result).as("killed in mid-fit").isNotDone();
    Fitted ours = result.join();

    assertThat(Processes.isAlive(executors.get(0))).isFalse();
    assertThat(cluster.evaluations().repackedPartitions.get()).isGreaterThan(repacked);
    assertThat(cluster.evaluations().rounds.get() - rounds)
        .isGreaterThanOrEqualTo(ours.history().size());
    assertThat(cluster.evaluations().fallbacks).hasValue(0);
    ours.assertSame(stock.get(fit));
    leftovers.awaitNone();
  }
}
