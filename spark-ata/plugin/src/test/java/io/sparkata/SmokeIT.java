package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.util.Map;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The one test that every build profile runs: a training on real executors. */
@Tag("spark")
@Tag("smoke")
class SmokeIT {
  @Test
  void train_onThreeExecutors_givesMllibsWeights() {
    try (TestCluster cluster = TestCluster.start(Map.of("spark.ata.policy", "adaptive"))) {
      Mllib training =
          new Mllib(
              TestData.partitions(cluster.context(), TestData.rows(3000, 20, false, 1), 4),
              new LogisticGradient(),
              0.3,
              30,
              20);

      Mllib.assertSame(training.trainBySparkAta(null), training.trainByMllib());
      assertThat(cluster.counters().rounds).hasValue(31);
      assertThat(cluster.counters().fallbacks).hasValue(0);
    }
  }
}
