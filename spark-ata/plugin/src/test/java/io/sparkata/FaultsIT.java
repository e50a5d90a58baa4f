package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.Descent;
import io.sparkata.testing.FaultPlugin;
import io.sparkata.testing.FaultPlugin.Fault;
import io.sparkata.testing.FaultStep;
import io.sparkata.testing.Faults;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Pairwise;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Failures at every step of Spark ATA's path, on real executors, with callers of MLlib, in jobs and
 * by message. Weights are compared with those of stock MLlib in a context without the plugin. Runs
 * cases that cover every setting; {@code -Data.cases=all} runs the full product.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsIT {
  private static final String FALLBACK = "fallback";
  private static final String FAIL = "fail";
  private static final String JOBS = "stage";
  private static final String MESSAGES = "resident";

  /** The round of a failure in mid-run. */
  private static final int STRIKE = 10;

  private static final int ROUNDS = Descent.ITERATIONS + 1;

  /** Larger than what travels in a job's task. */
  private static final int LARGE_MODEL = 50_000;

  private static final String WARNING_END =
      "; this training goes on by MLlib's own path from here. Set spark.ata.onError=fail to have"
          + " the exception instead, or spark.ata.enabled=false";

  private Map<Descent, double[]> stock;

  /** The failing step, its round, the caller. Each class below has each step. */
  private static Stream<Arguments> cases() {
    List<List<Object>> all = new ArrayList<>();
    for (FaultStep step : FaultStep.values()) {
      for (int round : new int[] {1, STRIKE}) {
        for (Descent caller : Descent.values()) {
          all.add(List.of(step, round, caller));
        }
      }
    }
    return Pairwise.each(all, one -> one).stream().map(one -> Arguments.of(one.toArray()));
  }

  @BeforeAll
  void trainByStockMllib() {
    stock = Descent.stock();
  }

  private void assertStockWeights(Descent caller, double[] weights) {
    Vector expected = Vectors.dense(stock.get(caller));
    double difference = Math.sqrt(Vectors.sqdist(Vectors.dense(weights), expected));
    assertThat(difference / Math.max(1, Vectors.norm(expected, 2))).isLessThanOrEqualTo(1e-9);
    assertThat(Vectors.norm(expected, 2)).isPositive();
  }

  @Nested
  @Tag("nightly") // the same by message runs each time
  class FallbackOfJobs extends Fallback {
    FallbackOfJobs() {
      super(JOBS);
    }
  }

  @Nested
  class FallbackByMessage extends Fallback {
    FallbackByMessage() {
      super(MESSAGES);
    }

    /** Before the first round, and in mid-run. */
    @ParameterizedTest
    @CsvSource({"<init>, 1", "run, 10"})
    void train_crewFails_runsAsJobsWithoutWarning(String method, int from) {
      assertAllocatedToTheEnd(
          FaultStep.failing("io.sparkata.rounds.crew.Crew", method, from, Faults.Kind.EXCEPTION),
          from - 1);
      leftovers.assertNone(Long.MAX_VALUE);
    }
  }

  @Nested
  @Tag("nightly") // of jobs, what throws is what falls back
  class FailOfJobs extends Fail {
    FailOfJobs() {
      super(JOBS);
    }
  }

  @Nested
  class FailByMessage extends Fail {
    FailByMessage() {
      super(MESSAGES);
    }
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  private abstract static class OnCluster {
    private final String onError;
    private final String execution;
    TestCluster cluster;

    OnCluster(String onError, String execution) {
      this.onError = onError;
      this.execution = execution;
    }

    Stream<Arguments> cases() {
      return FaultsIT.cases();
    }

    @BeforeAll
    void startCluster() {
      cluster =
          TestCluster.start(
              Map.of(
                  "spark.ata.route", "gradientDescent",
                  "spark.ata.onError", onError,
                  "spark.ata.execution", execution,
                  "spark.ata.passThrough", "auto",
                  "spark.ata.policy", "adaptive",
                  "spark.ata.blockSize", "4k",
                  "spark.ata.cache", "off", // it looks at the executors, too
                  "spark.plugins", FaultPlugin.PLUGINS));
    }

    @AfterAll
    void stopCluster() {
      cluster.close();
    }

    @AfterEach
    void disarm() {
      FaultPlugin.disarm();
    }

    /** Asserts how the rounds before a failure were executed. */
    void assertExecution(int roundsBefore, long residentBefore) {
      long resident = cluster.counters().residentRounds.get() - residentBefore;
      if (execution.equals(JOBS)) {
        assertThat(resident).as("rounds by message").isZero();
      } else if (roundsBefore > 0) {
        assertThat(resident).as("rounds by message").isPositive();
      }
    }
  }

  private abstract class Fallback extends OnCluster {
    Leftovers leftovers;

    Fallback(String execution) {
      super(FALLBACK, execution);
    }

    @BeforeAll
    void watch() {
      leftovers = Leftovers.watch(cluster.context());
      Descent.LOGISTIC.train(cluster.context());
    }

    @ParameterizedTest(name = "{0} in round {1}, {2}")
    @MethodSource("cases")
    void train_troubleOfOurs_givesMllibsWeightsWithOneWarning(
        FaultStep step, int round, Descent caller) {
      long fallbacks = cluster.counters().fallbacks.get();
      long resident = cluster.counters().residentRounds.get();
      List<Faults> faults = step.arm(cluster.context(), round);
      try (CapturedLog log = CapturedLog.of("io.sparkata")) {
        double[] weights = caller.train(cluster.context());

        assertStockWeights(caller, weights);
        assertThat(log.messages(Level.WARN))
            .singleElement()
            .asString()
            .startsWith("Spark ATA: cannot " + step.effect())
            .contains(Faults.MESSAGE)
            .endsWith(WARNING_END);
        assertThat(cluster.counters().fallbacks.get() - fallbacks).isEqualTo(1);
        assertExecution(step.roundsBefore(round), resident);
      } finally {
        faults.forEach(Faults::close);
      }
      leftovers.assertNone(Long.MAX_VALUE);
    }

    @Test
    void train_theCallCannotBeLookedAt_isMllibsWithOneWarning() {
      long fallbacks = cluster.counters().fallbacks.get();
      try (Faults faults =
              FaultStep.failing(
                  "io.sparkata.routing.EligibilityRules", "ofCall", 1, Faults.Kind.STACK_OVERFLOW);
          CapturedLog log = CapturedLog.of("io.sparkata")) {
        assertThat(faults).isNotNull();
        assertStockWeights(Descent.LOGISTIC, Descent.LOGISTIC.train(cluster.context()));
        assertThat(log.messages(Level.WARN))
            .containsExactly(
                "Spark ATA: cannot look at the call (java.lang.StackOverflowError: "
                    + Faults.MESSAGE
                    + "); MLlib trains. Set spark.ata.onError=fail to have the exception instead,"
                    + " or spark.ata.enabled=false");
      }
      assertThat(cluster.counters().fallbacks.get() - fallbacks).isEqualTo(1);
    }

    @Test
    void train_troubleWithALargeModel_leavesNoBroadcast() {
      double[] untroubled = trainLargeModel();
      long fallbacks = cluster.counters().fallbacks.get();
      try (Faults task = FaultStep.onExecutors(Fault.WORK, 3)) {
        assertThat(task).isNotNull();
        double difference =
            Math.sqrt(Vectors.sqdist(Vectors.dense(trainLargeModel()), Vectors.dense(untroubled)));
        assertThat(difference / Vectors.norm(Vectors.dense(untroubled), 2)).isLessThan(1e-9);
      }
      assertThat(cluster.counters().fallbacks.get() - fallbacks).isEqualTo(1);
      leftovers.assertNone(8L * LARGE_MODEL);
    }

    private double[] trainLargeModel() {
      return new GradientDescent(new LogisticGradient(), new SquaredL2Updater())
          .setNumIterations(5)
          .setConvergenceTol(0)
          .optimize(
              TestData.partitions(
                  cluster.context(), TestData.rows(200, LARGE_MODEL, /* sparse= */ true, 3), 4),
              Vectors.zeros(LARGE_MODEL))
          .toArray();
    }

    /** By message too: a member fails, and Spark retries the tasks of the job that follows. */
    @Test
    void train_firstAttemptOfEachTaskFails_isRetriedWithoutWarning() {
      AtomicInteger failed = new AtomicInteger();
      SparkListener listener =
          new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd event) {
              if (event.reason() instanceof ExceptionFailure) {
                failed.incrementAndGet();
              }
            }
          };
      cluster.context().sc().addSparkListener(listener);
      assertAllocatedToTheEnd(FaultStep.onExecutors(Fault.FIRST_ATTEMPT, STRIKE));
      // At least one task in each round.
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> failed.get() >= ROUNDS + 1 - STRIKE);
      cluster.context().sc().removeSparkListener(listener);
    }

    @Test
    void train_rowsCoveredTwice_repeatsTheRound() {
      long repacked = cluster.counters().repackedPartitions.get();
      AtomicBoolean hasStruck = new AtomicBoolean();
      assertAllocatedToTheEnd(
          Faults.at(
              "io.sparkata.rounds.Coverage",
              "wronglyCovered",
              STRIKE,
              arguments -> {
                if (!hasStruck.getAndSet(true)) {
                  coverTwice(arguments[1]);
                }
              }));
      assertThat(cluster.counters().repackedPartitions.get() - repacked).isEqualTo(1);
    }

    @Test
    void train_everyBlockLostInMidRun_packsThemAgain() {
      long repacked = cluster.counters().repackedPartitions.get();
      assertAllocatedToTheEnd(FaultStep.losing(cluster.context(), STRIKE));
      assertThat(cluster.counters().repackedPartitions.get() - repacked)
          .isEqualTo(Descent.PARTITIONS);
    }

    private void assertAllocatedToTheEnd(Faults faults) {
      assertAllocatedToTheEnd(faults, STRIKE - 1);
    }

    void assertAllocatedToTheEnd(Faults faults, int roundsBefore) {
      long rounds = cluster.counters().rounds.get();
      long resident = cluster.counters().residentRounds.get();
      long fallbacks = cluster.counters().fallbacks.get();
      try (faults;
          CapturedLog log = CapturedLog.of("io.sparkata")) {
        assertStockWeights(Descent.LOGISTIC, Descent.LOGISTIC.train(cluster.context()));
        assertThat(log.messages(Level.WARN)).isEmpty();
      }
      assertThat(cluster.counters().rounds.get() - rounds).isEqualTo(ROUNDS);
      assertThat(cluster.counters().fallbacks.get()).isEqualTo(fallbacks);
      assertExecution(roundsBefore, resident);
    }

    @SuppressWarnings("unchecked")
    private void coverTwice(Object covered) {
      List<Object> rows = (List<Object>) covered;
      rows.add(rows.get(0));
    }
  }

  private abstract static class Fail extends OnCluster {
    Fail(String execution) {
      super(FAIL, execution);
    }

    @ParameterizedTest(name = "{0} in round {1}, {2}")
    @MethodSource("cases")
    void train_troubleOfOurs_throws(FaultStep step, int round, Descent caller) {
      long resident = cluster.counters().residentRounds.get();
      List<Faults> faults = step.arm(cluster.context(), round);
      try {
        assertThatThrownBy(() -> caller.train(cluster.context()))
            .hasStackTraceContaining(Faults.MESSAGE);
      } finally {
        faults.forEach(Faults::close);
      }
      assertExecution(step.roundsBefore(round), resident);
      assertThat(cluster.counters().fallbacks).hasValue(0);
      assertThat(cluster.runtime().openCalls()).isZero();
    }
  }
}
