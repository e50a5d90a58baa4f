package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The one test that every build profile runs: a training on real executors. */
@Tag("spark")
@Tag("smoke")
@Order(2)
class SmokeIT {
  @Test
  void train_onThreeExecutors_givesMllibsWeights() {
    TestCluster cluster = TestCluster.shared();
    long rounds = cluster.counters().rounds.get();
    Mllib training =
        new Mllib(
            TestData.partitions(cluster.context(), TestData.rows(3000, 20, false, 1), 4),
            new LogisticGradient(),
            0.3,
            30,
            20);

    try (CapturedLog log = CapturedLog.of("io.sparkata.report")) {
      Mllib.assertSame(training.trainBySparkAta("adaptive"), training.trainByMllib());
      assertThat(log.lines()).as("spark.ata.report is off").isEmpty();
    }
    assertThat(cluster.counters().rounds.get() - rounds).isEqualTo(31);
    assertThat(cluster.counters().fallbacks).hasValue(0);
  }
}
