package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Executor;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.CrewListener;
import io.sparkata.testing.Faults;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.SteppingUpdater;
import io.sparkata.testing.TestCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import scala.Tuple2;

/** Rounds by message where executors come and go, and where Spark's listeners are slow. */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResidentClusterIT {
  private static final int FEATURES = 20;
  private static final int ITERATIONS = 400;
  private static final int STRIKE = 30;
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private Tuple2<Vector, double[]> stock;

  private static Mllib training(JavaSparkContext spark) {
    return Mllib.logistic(spark, 1500, FEATURES, /* partitions= */ 4, ITERATIONS);
  }

  private static TestCluster start(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("spark.ata.execution", "resident");
    all.putIfAbsent("spark.ata.policy", "uniform");
    all.putIfAbsent("spark.ata.blockSize", "16k");
    return TestCluster.start(all);
  }

  @BeforeAll
  void trainByMllib() {
    stock = Mllib.stock(spark -> training(spark).trainByMllib());
  }

  @Test
  void train_dynamicAllocation_replacesAKilledExecutorAndLetsIdleOnesGo() {
    Map<String, String> settings =
        Map.of(
            "spark.dynamicAllocation.enabled", "true",
            "spark.dynamicAllocation.maxExecutors", "3",
            "spark.dynamicAllocation.shuffleTracking.enabled", "true",
            "spark.dynamicAllocation.initialExecutors", "3",
            "spark.dynamicAllocation.minExecutors", "1",
            "spark.dynamicAllocation.executorIdleTimeout", "3s");
    try (TestCluster cluster = start(settings)) {
      CrewListener rounds = CrewListener.of(cluster.context());
      long killed = Processes.ofExecutors(cluster.context()).get(0);
      Set<String> first = executors(cluster);
      SteppingUpdater updater =
          new SteppingUpdater(
              iteration -> {
                if (iteration == STRIKE) {
                  Processes.kill9(killed);
                } else if (iteration > STRIKE) { // the newcomer's rounds are events
                  SteppingUpdater.waitShortlyFor(() -> !first.containsAll(rounds.executors()));
                }
              });

      Mllib.assertSame(training(cluster.context()).trainBySparkAta(null, updater), stock);

      assertThat(first).hasSize(TestCluster.EXECUTORS);
      assertThat(rounds.executors()).as("the newcomer takes part").hasSize(4).containsAll(first);
      assertThat(cluster.counters().residentRounds.get()).isGreaterThan(ITERATIONS / 3);
      assertThat(cluster.counters().fallbacks).hasValue(0);
      cluster.awaitExecutors(1);
    }
  }

  /**
   * It ends when its blocks are elsewhere and none of its slots is taken. Blocks this small need no
   * cut: Spark cannot move a block that every executor holds, and waits as long as it is there.
   */
  @Test
  void train_executorDecommissioned_isFreedInMidRun() {
    Map<String, String> settings =
        Map.of(
            "spark.decommission.enabled", "true",
            "spark.storage.decommission.enabled", "true",
            "spark.storage.decommission.rddBlocks.enabled", "true",
            "spark.storage.decommission.replicationReattemptInterval", "1s",
            "spark.ata.blockSize", "8400b");
    try (TestCluster cluster = start(settings);
        CapturedLog log = CapturedLog.of("io.sparkata")) {
      long leaving = Processes.ofExecutors(cluster.context()).get(0);
      AtomicLong residentBefore = new AtomicLong();
      SteppingUpdater updater =
          new SteppingUpdater(
              iteration -> {
                if (iteration == STRIKE) {
                  Processes.decommission(leaving);
                } else if (iteration > STRIKE && residentBefore.get() == 0) {
                  SteppingUpdater.waitShortlyFor(() -> !Processes.isAlive(leaving));
                  if (!Processes.isAlive(leaving)) {
                    residentBefore.set(cluster.counters().residentRounds.get());
                  }
                }
              });

      Mllib.assertSame(training(cluster.context()).trainBySparkAta(null, updater), stock);

      assertThat(residentBefore).as("it ended in mid-run").hasPositiveValue();
      assertThat(cluster.counters().residentRounds.get())
          .isGreaterThan(residentBefore.get() + ITERATIONS / 4);
      assertThat(cluster.counters().fallbacks).hasValue(0);
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }

  /** Spark drops events of a full queue. */
  @Test
  void train_eventsAreDropped_givesMllibsWeights() {
    try (TestCluster cluster =
            start(
                Map.of(
                    "spark.scheduler.listenerbus.eventqueue.ata.capacity", "2",
                    "spark.ata.policy", "adaptive"));
        Faults slow =
            Faults.at(
                "io.sparkata.cluster.FeedbackListener",
                "onOtherEvent",
                1,
                arguments -> LockSupport.parkNanos(SLOW_NANOS))) {
      assertThat(slow).isNotNull();
      Mllib.assertSame(training(cluster.context()).trainBySparkAta(null), stock);

      assertThat(cluster.counters().residentRounds.get()).isGreaterThan(ITERATIONS / 2);
      assertThat(cluster.counters().observations.get())
          .as("of three tasks per round")
          .isPositive()
          .isLessThan(ITERATIONS);
      assertThat(cluster.counters().fallbacks).hasValue(0);
    }
  }

  private static Set<String> executors(TestCluster cluster) {
    return cluster.runtime().cluster().workers(Duration.ZERO).stream()
        .map(Executor::id)
        .collect(Collectors.toSet());
  }
}
