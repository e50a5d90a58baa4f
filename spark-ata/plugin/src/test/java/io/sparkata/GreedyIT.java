package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.CountingGradient;
import io.sparkata.testing.LaggingGradient;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.ResidentCluster;
import io.sparkata.testing.RoundLogs;
import io.sparkata.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Greedy rounds on real executors: enough rows, dropped work measured, nothing left behind. */
class GreedyIT extends ResidentCluster {
  private static final int ROWS = 3000;
  private static final int ITERATIONS = 40;
  private static final int LONG = 100_000;
  private static final int UNIT = 7; // 1500 rows in 3 x 64 units
  private static final long LAG_NANOS = 1_000_000;
  private static final int SLOTS = 6; // three executors of two
  private static final long HELD_NANOS = 13_000_000_000L;
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir static Path folder;

  private Tuple2<Vector, double[]> stock;

  private static Mllib training(JavaSparkContext spark, int iterations) {
    return Mllib.logistic(spark, ROWS, /* features= */ 30, /* partitions= */ 3, iterations);
  }

  @Override
  protected TestCluster start() {
    stock = Mllib.stock(spark -> training(spark, ITERATIONS).trainByMllib());
    return TestCluster.startResident(
        Map.of(
            "spark.ata.policy", "greedy",
            "spark.ata.greedy.acknowledged", "true",
            "spark.ata.roundLog.path", folder.toUri().toString(),
            "spark.ata.report", "log"));
  }

  /** Another training finds its slots free. */
  @AfterEach
  void trainAgain() {
    training(cluster.context(), 5).trainBySparkAta(null);
  }

  @Test
  @Tag("nightly") // only for comparisons
  void train_oneExecutorIsSlow_dropsWorkAndTrainsOnEnoughRows() throws IOException {
    String slow = cluster.runtime().cluster().live().get(0).id();
    Mllib training =
        training(cluster.context(), ITERATIONS).with(new LaggingGradient(slow, LAG_NANOS));
    Tuple2<Vector, double[]> trained;
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      trained = training.trainBySparkAta(null);

      assertThat(log.messages(Level.WARN)).isEmpty();
    }

    double[] losses = trained._2();
    assertThat(losses).hasSameSizeAs(stock._2());
    double last = losses[ITERATIONS];
    double stocksLast = stock._2()[ITERATIONS];
    assertThat(last).isLessThan(0.8 * losses[0]).isBetween(0.8 * stocksLast, 1.2 * stocksLast);
    List<JsonNode> rounds = RoundLogs.newest(folder);
    assertThat(rounds).hasSize(ITERATIONS + 1);
    long dropped = 0;
    int ofSlow = 0;
    int ofOthers = 0;
    for (JsonNode round : rounds) {
      assertThat(round.get("policy").asText()).isEqualTo("greedy");
      assertThat(round.get("execution").asText()).isEqualTo("resident");
      assertThat(round.get("samples").asDouble()).isBetween(ROWS / 2.0, ROWS / 2.0 + UNIT - 1);
      assertThat(round.get("workers")).hasSize(TestCluster.EXECUTORS);
      for (JsonNode worker : round.get("workers")) {
        dropped += worker.get("droppedNanos").asLong();
        if (worker.get("id").asText().equals(slow)) {
          ofSlow += worker.get("units").asInt();
        } else {
          ofOthers += worker.get("units").asInt();
        }
      }
    }
    assertThat(dropped)
        .as("at least what the slow one does in half of the rounds")
        .isGreaterThan(ITERATIONS / 2 * UNIT * LAG_NANOS);
    assertThat(ofSlow).isPositive().isLessThan(ofOthers / 2);
  }

  /** As in the paper, whose tasks are single gradients. */
  @Test
  void train_fewerRowsThanUnits_pullsThemOneByOne() throws IOException {
    training(cluster.context(), 10).sampling(23.0 / ROWS).trainBySparkAta(null);

    assertThat(RoundLogs.newest(folder))
        .hasSize(11)
        .allSatisfy(
            round -> {
              assertThat(round.get("budget").asInt()).isEqualTo(23);
              assertThat(round.get("samples").asInt()).isEqualTo(23);
            });
  }

  @Test
  @Tag("nightly") // only for comparisons
  void train_executorKilled_goesOnWithTheOthers() {
    long executor = Processes.ofExecutors(cluster.context()).get(0);
    CompletableFuture<Tuple2<Vector, double[]>> result =
        inMidRun(() -> trainForLong("killed", 150));

    Processes.kill9(executor);
    assertThat(result).as("killed in mid-run").isNotDone();

    assertThat(result.join()._2()).hasSize(151);
    assertThat(cluster.counters().fallbacks).hasValue(0);
  }

  @Test
  @Tag("nightly") // only for comparisons
  void train_executorStopped_endsWithoutIt() {
    long executor = Processes.ofExecutors(cluster.context()).get(0);
    CompletableFuture<Tuple2<Vector, double[]>> result =
        inMidRun(() -> trainForLong("stopped", 150));

    Processes.stop(executor);
    try {
      assertThat(result).as("stopped in mid-run").isNotDone();
      assertThat(result).succeedsWithin(LIMIT);
    } finally {
      Processes.goOn(executor);
    }
    assertThat(cluster.counters().fallbacks).hasValue(0);
  }

  /** Each leaves its slots to the other after a round. */
  @Test
  @Tag("nightly") // only for comparisons
  void train_twoAtOnce_bothEnd() {
    List<CompletableFuture<Tuple2<Vector, double[]>>> both =
        List.of(trainForLong("one", 10), trainForLong("other", 10));

    assertThat(both)
        .allSatisfy(one -> assertThat(one).succeedsWithin(LIMIT).matches(r -> r._2().length == 11));
  }

  @Test
  @Tag("nightly") // only for comparisons
  void train_anotherJobWaits_getsItsSlots() {
    assertYieldsSlots("long", () -> trainForLong("long", LONG));
  }

  /** It has no jobs to turn to, so its crew waits as any job does. */
  @Test
  @Tag("nightly") // waits for longer than a crew takes to start
  void train_anotherJobIsLong_waitsForItsEnd() {
    CompletableFuture<Tuple2<Vector, double[]>> result =
        inMidRun(() -> trainForLong("behind", LONG));

    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      cluster
          .context()
          .parallelize(List.of(1, 2, 3, 4, 5, 6), SLOTS)
          .foreach(task -> LockSupport.parkNanos(HELD_NANOS));
      long before = cluster.counters().residentRounds.get();
      cluster.awaitResidentRounds(before + 20);

      assertThat(log.messages(Level.INFO)).noneMatch(line -> line.contains("starts again"));
    }
    cluster.context().cancelJobGroup("behind");
    assertThatThrownBy(result::join).hasStackTraceContaining("cancelled job group behind");
  }

  @Test
  void train_usersGradientThrows_failsAsInMllib() {
    assertGradientsExceptionEnds(training(cluster.context(), ITERATIONS));
  }

  @Test
  void train_gradientHasAnAccumulator_isRefused() {
    Gradient counting = new CountingGradient(cluster.context().sc().longAccumulator("rows"));
    Mllib training = training(cluster.context(), ITERATIONS).with(counting);

    assertThatThrownBy(() -> training.trainBySparkAta(null))
        .hasStackTraceContaining(
            "Cannot use the policy 'greedy': the gradient has an accumulator, which Spark adds up"
                + " at the end of a task. Set spark.ata.policy=adaptive");
  }

  private CompletableFuture<Tuple2<Vector, double[]>> trainForLong(String group, int iterations) {
    return cluster.startInGroup(
        group, () -> training(cluster.context(), iterations).trainBySparkAta(null));
  }
}
