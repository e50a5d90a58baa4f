package io.sparkata;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.RoundLogs;
import io.sparkata.testing.SteppingUpdater;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/** SIGSTOP of an executor in mid-run: the training goes on without it, and with it afterwards. */
class SilentExecutorIT {
  private static final Logger LOG = LoggerFactory.getLogger(SilentExecutorIT.class);
  private static final int FEATURES = 20;
  private static final int ROUNDS_BEFORE = 8;

  /** Spark waits for {@code spark.network.timeout}, 120 s. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @SuppressWarnings("ImmutableEnumChecker")
  private enum Training {
    DESCENT {
      @Override
      Vector train(JavaSparkContext spark) {
        return descend(rows(spark));
      }
    },
    DESCENT_OVER_CACHED_ROWS {
      @Override
      Vector train(JavaSparkContext spark) {
        RDD<Tuple2<Object, Vector>> rows = rows(spark).persist(StorageLevel.MEMORY_ONLY());
        rows.count();
        Vector weights = descend(rows);
        rows.unpersist(/* blocking= */ false);
        return weights;
      }
    },
    FIT {
      @Override
      Vector train(JavaSparkContext spark) {
        FitData data = FitData.even(spark, FEATURES, /* sparse= */ false, 0.1, 20_000, 3);
        return Vectors.fromML(
            Fit.LOGISTIC.train(data, Fit.Terms.PLAIN, /* iterations= */ 12).parameters());
      }
    };

    abstract Vector train(JavaSparkContext spark);

    private static RDD<Tuple2<Object, Vector>> rows(JavaSparkContext spark) {
      return TestData.partitions(spark, TestData.rows(20_000, FEATURES, false, 3), 3);
    }

    private static Vector descend(RDD<Tuple2<Object, Vector>> rows) {
      return new Mllib(rows, new LogisticGradient(), 0.5, /* iterations= */ 40, FEATURES)
          .trainByMllib()
          ._1();
    }
  }

  @ParameterizedTest
  @CsvSource({"stage, false", "stage, true", "auto, false"})
  @Tag("nightly")
  void train_executorStopped_goesOnWithoutItAndThenWithIt(String execution, String speculation) {
    Map<Training, Vector> stock = new EnumMap<>(Training.class);
    Mllib.withStock(
        spark -> {
          for (Training training : Training.values()) {
            stock.put(training, training.train(spark));
          }
        });
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "spark.ata.route", "gradientDescent,lbfgs",
                "spark.ata.policy", "uniform",
                "spark.ata.onError", "fallback",
                "spark.ata.execution", execution,
                "spark.speculation", speculation));
    try (TestCluster cluster = TestCluster.start(settings)) {
      Leftovers leftovers = Leftovers.watch(cluster.context());
      for (Training training : Training.values()) {
        trainWhileStopped(cluster, training, stock.get(training));
        leftovers.awaitNothingPersisted();
      }
      assertThat(cluster.counters().fallbacks).hasValue(0);
      assertThat(cluster.evaluations().fallbacks).hasValue(0);
    }
  }

  @Test
  void train_executorGoesOnInMidRun_takesPartAgain(@TempDir Path roundLogs) throws IOException {
    Map<String, String> settings =
        Map.of(
            "spark.ata.policy", "uniform",
            "spark.ata.execution", "stage",
            "spark.ata.roundLog.path", roundLogs.toUri().toString(),
            "spark.executor.heartbeatInterval", "1s");
    try (TestCluster cluster = TestCluster.start(settings);
        CapturedLog log = CapturedLog.of("io.sparkata")) {
      Mllib training =
          new Mllib(Training.rows(cluster.context()), new LogisticGradient(), 0.5, 20, FEATURES);
      long stopped = Processes.ofExecutors(cluster.context()).get(0);
      SteppingUpdater updater =
          new SteppingUpdater(
              iteration -> {
                if (iteration == ROUNDS_BEFORE) {
                  Processes.stop(stopped);
                } else if (iteration == ROUNDS_BEFORE + 2) {
                  Processes.goOn(stopped);
                  cluster.awaitExecutors(TestCluster.EXECUTORS);
                }
              });

      Mllib.assertSame(training.trainBySparkAta(null, updater), training.trainByMllib());

      List<Integer> workers = new ArrayList<>();
      RoundLogs.newest(roundLogs).forEach(round -> workers.add(round.get("workers").size()));
      assertThat(workers).startsWith(3).contains(2).endsWith(3, 3, 3);
      assertThat(log.messages(Level.WARN)) // else Spark's timeout has ended the wait
          .singleElement(as(STRING))
          .contains("is silent for 3.0 s");
    }
  }

  /** Else rounds wait for it, first ten seconds and then in a job that fetches its blocks. */
  @ParameterizedTest
  @CsvSource({"resident, 1", "auto, 8"})
  @Tag("nightly")
  void train_executorStoppedBeforeACrewForms_goesOnWithoutIt(String execution, int at) {
    Map<String, String> settings =
        Map.of("spark.ata.policy", "uniform", "spark.ata.execution", execution);
    try (TestCluster cluster = TestCluster.start(settings);
        CapturedLog log = CapturedLog.of("io.sparkata")) {
      Mllib training =
          new Mllib(Training.rows(cluster.context()), new LogisticGradient(), 0.5, 40, FEATURES);
      long stopped = Processes.ofExecutors(cluster.context()).get(0);
      SteppingUpdater updater =
          new SteppingUpdater(
              iteration -> {
                if (iteration == at) {
                  LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(3)); // a crew has left by then
                  Processes.stop(stopped);
                }
              });
      Tuple2<Vector, double[]> trained;
      try {
        trained = training.trainBySparkAta(null, updater);
      } finally {
        Processes.goOn(stopped);
      }
      Mllib.assertSame(trained, training.trainByMllib());

      assertThat(log.messages(Level.WARN))
          .singleElement(as(STRING))
          .contains("is silent for 3.0 s");
      assertThat(log.messages(Level.INFO))
          .anyMatch(line -> line.contains("rounds go by message to 2 executors"))
          .noneMatch(line -> line.contains("not all executors started their tasks"));
      assertThat(cluster.counters().fallbacks).hasValue(0);
    }
  }

  private static void trainWhileStopped(TestCluster cluster, Training training, Vector stock) {
    long stopped = Processes.ofExecutors(cluster.context()).get(0);
    LongSupplier rounds =
        () -> cluster.counters().rounds.get() + cluster.evaluations().rounds.get();
    long before = rounds.getAsLong();
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      CompletableFuture<Vector> result =
          CompletableFuture.supplyAsync(() -> training.train(cluster.context()));
      await(() -> rounds.getAsLong() - before >= ROUNDS_BEFORE);
      Processes.stop(stopped);
      assertThat(result).as("stopped in mid-run").isNotDone();
      long atStop = rounds.getAsLong();
      long start = System.nanoTime();
      await(() -> rounds.getAsLong() - atStop >= 2); // one may have been at its end
      LOG.info(
          "{}: {} ms to the next round",
          training,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));

      assertThat(result).succeedsWithin(LIMIT);
      assertThat(Vectors.sqdist(result.join(), stock)).isLessThan(1e-12);
      assertThat(log.messages(Level.WARN))
          .singleElement(as(STRING))
          .contains("is silent for", "rounds go on without it until its next heartbeat");
    } finally {
      Processes.goOn(stopped);
    }
    cluster.awaitExecutors(TestCluster.EXECUTORS);
  }

  private static void await(BooleanSupplier condition) {
    Awaitility.await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(2))
        .until(condition::getAsBoolean);
  }
}
