package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparkata.cluster.Executor;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.CrewListener;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.RoundLogs;
import io.sparkata.testing.SteppingUpdater;
import io.sparkata.testing.TestCluster;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** No round waits for an executor of unknown speed, which is tried meanwhile. */
@Tag("spark")
class TrialsIT {
  private static final int ITERATIONS = 200;
  private static final int GOES_ON = 50;

  @TempDir Path folder;

  private static Mllib training(JavaSparkContext spark) {
    return Mllib.logistic(spark, 1500, /* features= */ 20, /* partitions= */ 2, ITERATIONS);
  }

  @Test
  void train_executorThatHasPackedNothingStops_delaysNoRoundAndIsUsedWhenItGoesOn()
      throws Exception {
    Tuple2<Vector, double[]> stock = Mllib.stock(spark -> training(spark).trainByMllib());
    Map<String, String> settings =
        Map.of(
            "spark.ata.execution", "resident",
            "spark.ata.policy", "adaptive",
            "spark.ata.blockSize", "16k",
            "spark.ata.roundLog.path", folder.toUri().toString());
    AtomicReference<String> idle = new AtomicReference<>();
    try (TestCluster cluster = TestCluster.start(settings);
        CapturedLog log = CapturedLog.of("io.sparkata")) {
      CrewListener rounds = CrewListener.of(cluster.context());
      Map<String, Long> processes = new HashMap<>();
      ids(cluster).forEach(id -> processes.put(id, Processes.ofExecutor(cluster.context(), id)));
      SteppingUpdater updater =
          new SteppingUpdater(
              iteration -> {
                if (iteration == 1) {
                  rounds.catchUp();
                  Set<String> others = new HashSet<>(processes.keySet());
                  others.removeAll(rounds.executors());
                  assertThat(others).as("has packed nothing").hasSize(1);
                  idle.set(others.iterator().next());
                  Processes.stop(processes.get(idle.get()));
                } else if (iteration == GOES_ON) {
                  Processes.goOn(processes.get(idle.get()));
                } else if (iteration > GOES_ON) {
                  SteppingUpdater.waitShortlyFor(() -> rounds.executors().size() == 3);
                }
              });

      Mllib.assertSame(training(cluster.context()).trainBySparkAta(null, updater), stock);

      assertThat(cluster.counters().residentRounds).hasValue(ITERATIONS + 1);
      assertThat(cluster.counters().fallbacks).hasValue(0);
      assertThat(log.messages(Level.WARN)).isEmpty();
    }

    List<JsonNode> log = RoundLogs.newest(folder);
    assertThat(log).as("no round is repeated").hasSize(ITERATIONS + 1);
    assertThat(log.subList(0, GOES_ON)).allSatisfy(round -> assertThat(rows(round, idle)).isZero());
    assertThat(log.subList(GOES_ON, ITERATIONS + 1))
        .anySatisfy(round -> assertThat(rows(round, idle)).isPositive());
  }

  private static List<String> ids(TestCluster cluster) {
    return cluster.runtime().cluster().live().stream().map(Executor::id).toList();
  }

  private static long rows(JsonNode round, AtomicReference<String> executor) {
    for (JsonNode worker : round.get("workers")) {
      if (worker.get("id").asText().equals(executor.get())) {
        return worker.get("rows").asLong();
      }
    }
    return 0;
  }
}
