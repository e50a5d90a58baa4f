package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.rdd.RDD;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** kill -9 of executors in mid-run: the same weights, and nothing left behind. */
@Order(3)
class ExecutorLossIT {
  private static final int FEATURES = 50;
  private static final int ITERATIONS = 40;
  private static final int KILL_AFTER_ROUNDS = 10;

  private enum Data {
    /** Three even partitions under uniform: every executor is the only holder of some block. */
    ONE_HOLDER_PER_BLOCK(0.5, "uniform") {
      @Override
      RDD<Tuple2<Object, Vector>> of(JavaSparkContext spark) {
        return TestData.partitions(spark, TestData.rows(3000, FEATURES, false, 3), 3);
      }
    },
    BEHIND_A_REPARTITION(1.0, /* policy= */ null) {
      @Override
      RDD<Tuple2<Object, Vector>> of(JavaSparkContext spark) {
        return TestData.partitions(spark, TestData.rows(3000, FEATURES, false, 4), 5)
            .toJavaRDD()
            .repartition(4)
            .rdd();
      }
    },
    SCATTERED(0.3, /* policy= */ null) {
      @Override
      RDD<Tuple2<Object, Vector>> of(JavaSparkContext spark) {
        return TestData.partitions(spark, TestData.rows(3000, FEATURES, true, 5), 7);
      }
    };

    private final double fraction;
    private final String policy;

    Data(double fraction, String policy) {
      this.fraction = fraction;
      this.policy = policy;
    }

    abstract RDD<Tuple2<Object, Vector>> of(JavaSparkContext spark);

    Mllib training(JavaSparkContext spark) {
      return new Mllib(of(spark), new LogisticGradient(), fraction, ITERATIONS, FEATURES);
    }
  }

  /** Spark replaces killed executors. */
  @Test
  void train_executorsKilled_givesMllibsWeightsAndLeavesNothing() {
    trainWhileKillingEach(
        TestCluster.shared(), Data.ONE_HOLDER_PER_BLOCK, Data.BEHIND_A_REPARTITION);
  }

  @Test
  @Tag("nightly")
  void train_executorsKilledUnderSpeculation_givesMllibsWeightsAndLeavesNothing() {
    try (TestCluster cluster =
        TestCluster.start(
            Map.of(
                "spark.ata.blockSize", "32k",
                "spark.speculation", "true",
                "spark.speculation.interval", "10ms",
                "spark.speculation.multiplier", "1.1",
                "spark.speculation.quantile", "0.3",
                "spark.speculation.minTaskRuntime", "1ms"))) {
      trainWhileKillingEach(cluster, Data.values());
    }
  }

  private static void trainWhileKillingEach(TestCluster cluster, Data... datas) {
    for (Data data : datas) {
      long repacked = cluster.counters().repackedPartitions.get();
      trainWhileKilling(cluster, data);
      if (data == Data.ONE_HOLDER_PER_BLOCK) { // of others there may be replicas
        assertThat(cluster.counters().repackedPartitions.get()).isGreaterThan(repacked);
      }
    }
  }

  private static void trainWhileKilling(TestCluster cluster, Data data) {
    cluster.awaitExecutors(TestCluster.EXECUTORS);
    Tuple2<Vector, double[]> stock = data.training(cluster.context()).trainByMllib();
    long roundsBefore = cluster.counters().rounds.get();
    Leftovers leftovers = Leftovers.watch(cluster.context());
    List<Long> executors = Processes.ofExecutors(cluster.context());
    Mllib training = data.training(cluster.context());
    CompletableFuture<Tuple2<Vector, double[]>> result =
        CompletableFuture.supplyAsync(() -> training.trainBySparkAta(data.policy));
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(2))
        .until(() -> cluster.counters().rounds.get() - roundsBefore >= KILL_AFTER_ROUNDS);

    Processes.kill9(executors.get(0));
    assertThat(result).as("killed in mid-run").isNotDone();

    Tuple2<Vector, double[]> ours = result.join();
    assertThat(Processes.isAlive(executors.get(0))).isFalse();
    assertThat(cluster.counters().rounds).hasValue(roundsBefore + ITERATIONS + 1);
    assertThat(cluster.counters().fallbacks).hasValue(0);
    Mllib.assertSame(ours, stock);
    leftovers.assertNone(/* modelBytes= */ Long.MAX_VALUE);
  }
}
