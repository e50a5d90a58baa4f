package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.memory.LeftOutExecutors.Found;
import io.sparkata.memory.LeftOutExecutors.Kind;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/**
 * Rounds of next to no work: whatever they take, a third of it may be an executor's, so that one is
 * left out for a trial at least.
 */
@Order(4)
class RestingExecutorsIT {
  private static final int ITERATIONS = 100;
  private static final int ROWS = 3000;
  private static final int FEATURES = 30; // no other training of the shared cluster is of this kind
  private static final double FRACTION = 0.3;

  @Test
  void train_roundsOfNextToNoWork_leavesExecutorsOutAndGivesMllibsWeights() {
    TestCluster cluster = TestCluster.shared();
    Tuple2<Vector, double[]> stock = training(cluster.context()).trainByMllib();
    Leftovers leftovers = Leftovers.watch(cluster.context());
    long calls = cluster.counters().calls.get();

    Mllib.assertSame(training(cluster.context()).trainBySparkAta("adaptive"), stock);

    List<Integer> resting = resting(calls + 1);
    assertThat(resting).hasSize(ITERATIONS + 1).startsWith(0).allMatch(n -> n < 3);
    assertThat(resting).anyMatch(n -> n > 0);
    Kind kind = Kind.of("logistic dense", FEATURES, FRACTION * ROWS);
    Found found = cluster.runtime().leftOut().of(kind).orElseThrow();

    // Two of three are killed while one rests or more: one at least that serves.
    List<Long> executors = Processes.ofExecutors(cluster.context());
    Mllib training = training(cluster.context());
    CompletableFuture<Tuple2<Vector, double[]>> result =
        CompletableFuture.supplyAsync(() -> training.trainBySparkAta("adaptive"));
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> resting(calls + 2).stream().anyMatch(n -> n > 0));
    Processes.kill9(executors.get(0));
    Processes.kill9(executors.get(1));
    assertThat(result).as("killed in mid-run").isNotDone();

    Mllib.assertSame(result.join(), stock);
    assertThat(resting(calls + 2).get(0))
        .as("goes on where the last one ended")
        .isEqualTo(found.groups().stream().mapToInt(List::size).sum());
    assertThat(cluster.counters().fallbacks).hasValue(0);
    leftovers.assertNone(/* modelBytes= */ Long.MAX_VALUE);
  }

  private static Mllib training(JavaSparkContext spark) {
    return new Mllib(
        TestData.partitions(spark, TestData.rows(ROWS, FEATURES, false, 6), 4),
        new LogisticGradient(),
        FRACTION,
        ITERATIONS,
        FEATURES);
  }

  /** By round that was complete; whole lines only. */
  private static List<Integer> resting(long call) {
    List<Integer> resting = new ArrayList<>();
    try (var logs = Files.list(TestCluster.sharedRoundLogs())) {
      Path log =
          logs.filter(file -> file.toString().endsWith("-call-" + call + ".jsonl"))
              .findFirst()
              .orElse(null);
      if (log == null) {
        return resting;
      }
      String text = Files.readString(log);
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        JsonNode round = new ObjectMapper().readTree(line);
        if (!round.has("repeated")) {
          resting.add(round.get("resting").asInt());
        }
      }
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    return resting;
  }
}
