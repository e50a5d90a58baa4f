package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparkata.cluster.Executor;
import io.sparkata.spark.CachedBlocks;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.CrewListener;
import io.sparkata.testing.Faults;
import io.sparkata.testing.Leftovers;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.LBFGS;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** No round waits for an executor of unknown speed, which is tried meanwhile. */
class TrialsIT {
  private static final int ITERATIONS = 200;
  private static final int GOES_ON = 50;
  private static final int FIT_GOES_ON = 5;
  private static final int ROWS = 1500;

  /** After a second, slots would be free. */
  private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final int FEATURES = 20;
  private static final int PARTITIONS = 2;
  private static final String COST_FUNCTION = "org.apache.spark.mllib.optimization.LBFGS$CostFun";

  @TempDir Path folder;

  private static Mllib training(JavaSparkContext spark) {
    return Mllib.logistic(spark, ROWS, FEATURES, PARTITIONS, ITERATIONS);
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

  /** Each trial begins when the broadcast of its evaluation's coefficients is destroyed. */
  @Tag("nightly")
  @Test
  void fit_executorThatHoldsNothingStops_delaysNoEvaluationAndIsTriedBetweenThem()
      throws Exception {
    Vector stock = Mllib.stock(TrialsIT::fit);
    Map<String, String> settings =
        Map.of(
            "spark.ata.route", "lbfgs",
            "spark.ata.execution", "resident",
            "spark.ata.policy", "adaptive",
            "spark.ata.blockSize", "16k",
            "spark.ata.cache", "off",
            "spark.ata.roundLog.path", folder.toUri().toString());
    AtomicReference<String> idle = new AtomicReference<>();
    try (TestCluster cluster = TestCluster.start(settings);
        CapturedLog log = CapturedLog.of("io.sparkata")) {
      CrewListener rounds = CrewListener.of(cluster.context());
      Map<String, Long> processes = new HashMap<>();
      ids(cluster).forEach(id -> processes.put(id, Processes.ofExecutor(cluster.context(), id)));
      AtomicInteger evaluation = new AtomicInteger(1);
      Runnable step =
          () -> {
            int next = evaluation.incrementAndGet();
            if (next == 2) { // the first by message
              Set<String> others = new HashSet<>(processes.keySet());
              others.removeAll(holders(cluster.context()));
              assertThat(others).as("holds nothing").hasSize(1);
              idle.set(others.iterator().next());
              Processes.stop(processes.get(idle.get()));
            } else if (next >= FIT_GOES_ON) { // between evaluations only
              Processes.goOn(processes.get(idle.get()));
              rounds.catchUp();
              if (!rounds.executors().contains(idle.get())) {
                LockSupport.parkNanos(BETWEEN_NANOS);
                Processes.stop(processes.get(idle.get()));
              }
            }
          };
      try (Faults evaluations =
          Faults.at(COST_FUNCTION, "calculate", /* from= */ 2, arguments -> step.run())) {
        assertThat(evaluations).isNotNull();
        assertThat(fit(cluster.context()).toArray())
            .usingComparatorWithPrecision(1e-9)
            .containsExactly(stock.toArray());
      } finally {
        for (long process : processes.values()) {
          Processes.goOn(process);
        }
      }

      rounds.catchUp();
      assertThat(rounds.executors()).as("trials have shown its speed").contains(idle.get());
      assertThat(cluster.evaluations().residentRounds).hasValue(evaluation.get() - 1);
      assertThat(cluster.evaluations().fallbacks).hasValue(0);
      assertThat(log.messages(Level.WARN)).isEmpty();
      cluster.context().getPersistentRDDs().values().forEach(rdd -> rdd.unpersist(true));
      Leftovers.watch(cluster.context()).awaitNothingPersisted();
    }

    assertThat(RoundLogs.newest(folder).subList(0, FIT_GOES_ON - 1))
        .allSatisfy(round -> assertThat(rows(round, idle)).isZero());
  }

  /** Executors with a cached partition. */
  private static List<String> holders(JavaSparkContext spark) {
    Integer rdd = spark.getPersistentRDDs().keySet().iterator().next();
    return CachedBlocks.of(spark.sc(), List.of(rdd), PARTITIONS).stream()
        .map(CachedBlocks.Block::executor)
        .toList();
  }

  private static Vector fit(JavaSparkContext spark) {
    RDD<Tuple2<Object, Vector>> rows = training(spark).data().persist(StorageLevel.MEMORY_ONLY());
    assertThat(rows.count()).isEqualTo(ROWS);
    return LBFGS
        .runLBFGS(
            rows,
            new LogisticGradient(),
            new SquaredL2Updater(),
            /* numCorrections= */ 10,
            /* convergenceTol= */ 0,
            /* maxNumIterations= */ 30,
            /* regParam= */ 0.001,
            Vectors.zeros(FEATURES))
        ._1();
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
