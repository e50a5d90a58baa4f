package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Counters;
import io.sparkata.testing.Faults;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.Fitted;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Pairwise;
import io.sparkata.testing.Processes;
import io.sparkata.testing.TestCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * kill -9 of an executor in mid-fit, the only holder of blocks: the stock model, and nothing left
 * behind. One fit; {@code -Data.cases=all} runs all, dense and sparse.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EvaluationLossIT {
  private static final Logger LOG = LoggerFactory.getLogger(EvaluationLossIT.class);
  private static final int FEATURES = 12;
  private static final int ROWS = 1200;

  /** Few: rounding may decide on the model of a fit that goes on after it has converged. */
  private static final int ITERATIONS = 8;

  /** The round whose tasks are planned when the executor is killed. Round 1 packs and sums. */
  private static final int KILL_ROUND = 5;

  private final Map<Case, Fitted> stock = new HashMap<>();
  private double largest;
  private TestCluster cluster;

  record Case(Fit fit, boolean isSparse) {
    Fitted train(JavaSparkContext spark, double blockMegabytes) {
      FitData data = FitData.even(spark, FEATURES, isSparse, blockMegabytes, ROWS, 3);
      return fit.train(data, Fit.Terms.PLAIN, ITERATIONS);
    }
  }

  static Stream<Case> cases() {
    return Pairwise.isFull()
        ? Stream.of(Fit.values()).flatMap(fit -> Stream.of(false, true).map(s -> new Case(fit, s)))
        : Stream.of(new Case(Fit.LOGISTIC, false));
  }

  @BeforeAll
  void start() {
    // Stock's multinomial sums are right for one block per partition only (SPARK-59562).
    Mllib.withStock(spark -> cases().forEach(c -> stock.put(c, c.train(spark, FitData.ONE_BLOCK))));
    // Even shares of three even partitions: each executor is the only holder of some blocks.
    cluster =
        TestCluster.start(
            Map.of(
                "spark.ata.route", "lbfgs",
                "spark.ata.policy", "uniform",
                "spark.ata.blockSize", "4k"));
  }

  @AfterAll
  void stop() {
    cluster.close();
    LOG.info("{} fits: at most {} from stock", stock.size(), largest);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void fit_onlyHolderOfBlocksKilled_givesStockModelAndLeavesNothing(Case setting) {
    cluster.awaitExecutors(TestCluster.EXECUTORS);
    Leftovers leftovers = Leftovers.watch(cluster.context());
    List<Long> executors = Processes.ofExecutors(cluster.context());
    long victim = executors.get(0);
    Counters counters = cluster.evaluations();
    long rounds = counters.rounds.get();
    long repacked = counters.repackedPartitions.get();

    Fitted ours;
    try (Faults loss =
        Faults.at(
            "io.sparkata.placement.Placement",
            "plan",
            KILL_ROUND - 1,
            arguments -> killOnce(victim))) {
      assertThat(loss).isNotNull();
      ours = setting.train(cluster.context(), FitData.SMALL_BLOCKS);
    }

    assertThat(Processes.isAlive(victim)).isFalse();
    assertThat(counters.repackedPartitions.get()).isGreaterThan(repacked);
    assertThat(counters.rounds.get() - rounds)
        .as("evaluations answered by us")
        .isGreaterThan(KILL_ROUND)
        .isGreaterThanOrEqualTo(ours.history().size());
    assertThat(counters.fallbacks).hasValue(0);
    ours.assertSame(stock.get(setting));
    largest = Math.max(largest, ours.difference(stock.get(setting)));
    leftovers.awaitNone();
  }

  /** Later rounds call it too. */
  private static void killOnce(long process) {
    if (Processes.isAlive(process)) {
      Processes.kill9(process);
    }
  }
}
