package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.spark.SparkInternals;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.FaultPlugin;
import io.sparkata.testing.Faults;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Pairwise;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.regression.FMRegressionModel;
import org.apache.spark.ml.regression.FMRegressor;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.mllib.util.MLUtils;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Tuple2;

/**
 * Failures at every step of Spark ATA's path, on real executors, with callers of MLlib. Weights are
 * compared with those of stock MLlib in a context without the plugin. Runs cases that cover every
 * pair of settings; {@code -Data.cases=all} runs the full product.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsIT {
  private static final int ITERATIONS = 14;
  private static final int FEATURES = 6;
  private static final String FALLBACK = "fallback";
  private static final String FAIL = "fail";

  /** Larger than what travels in the task. */
  private static final int LARGE_MODEL = 50_000;

  private static final String WARNING_END =
      "; this training goes on by MLlib's own path from here. Set spark.ata.onError=fail to have"
          + " the exception instead, or spark.ata.enabled=false";

  private final Map<Caller, double[]> stock = new HashMap<>();

  enum Caller {
    /** MLlib's own class. */
    LOGISTIC {
      @Override
      double[] train(JavaSparkContext spark) {
        RDD<Tuple2<Object, Vector>> data =
            TestData.partitions(spark, TestData.rows(600, FEATURES, false, 1), 4);
        return new GradientDescent(new LogisticGradient(), new SquaredL2Updater())
            .setNumIterations(ITERATIONS)
            .setMiniBatchFraction(0.5)
            .setConvergenceTol(0)
            .optimize(data, Vectors.zeros(FEATURES))
            .toArray();
      }
    },

    /** spark.ml's factorization machine, whose updater adamW keeps state from round to round. */
    FM {
      @Override
      double[] train(JavaSparkContext spark) {
        SparkSession session = SparkSession.builder().sparkContext(spark.sc()).getOrCreate();
        JavaRDD<LabeledPoint> points =
            TestData.partitions(spark, TestData.rows(600, FEATURES, false, 2), 4)
                .toJavaRDD()
                .map(row -> new LabeledPoint((Double) row._1(), row._2()));
        Dataset<Row> data = session.createDataFrame(points, LabeledPoint.class);
        FMRegressionModel model =
            new FMRegressor()
                .setSolver("adamW")
                .setFactorSize(2)
                .setMaxIter(ITERATIONS)
                .setSeed(1)
                .setStepSize(0.1)
                .setTol(0)
                .fit(MLUtils.convertVectorColumnsToML(data, "features"));
        double[] linear = model.linear().toArray();
        double[] factors = model.factors().toArray();
        double[] all = Arrays.copyOf(linear, linear.length + factors.length + 1);
        System.arraycopy(factors, 0, all, linear.length, factors.length);
        all[all.length - 1] = model.intercept();
        return all;
      }
    };

    abstract double[] train(JavaSparkContext spark);
  }

  enum Step {
    START("pack the data"),
    EXECUTORS("look at the executors"),
    PACKING_ON_DRIVER("pack the data"),
    PACKING_ON_EXECUTOR("pack the data"),
    PLACEMENT("run round"),
    TASK("run round"),
    LISTENER("run round"),
    POLICY("run round"),
    PACKING_AGAIN("run round");

    private final String effect;

    Step(String effect) {
      this.effect = effect;
    }

    /** Each step meets two kinds, and all steps together every kind. */
    private Faults.Kind kind(int round) {
      Faults.Kind[] kinds = Faults.Kind.values();
      return kinds[(List.of(values()).indexOf(this) + (round > 1 ? 1 : 0)) % kinds.length];
    }

    /** Arms the failure for the given round, counted from 1. */
    List<Faults> arm(JavaSparkContext spark, int round) {
      Faults.Kind kind = kind(round);
      return switch (this) {
        case START -> List.of(failing("io.sparkata.rounds.RoundAccumulators", "<init>", 1, kind));
        case EXECUTORS -> List.of(failing("io.sparkata.cluster.LiveExecutors", "live", 1, kind));
        case PACKING_ON_DRIVER ->
            List.of(failing("io.sparkata.blocks.BlockPacker", "pack", 1, kind));
        case PACKING_ON_EXECUTOR -> {
          spark.setLocalProperty(FaultPlugin.PROPERTY, FaultPlugin.PACKING);
          yield List.of();
        }
        case PLACEMENT -> List.of(failing("io.sparkata.placement.Placement", "plan", round, kind));
        case TASK -> List.of(setting(spark, round, FaultPlugin.TASK));
        case LISTENER ->
            List.of(
                failing(
                    "io.sparkata.cluster.CallFeedback",
                    "onTaskEnd",
                    round * (TestCluster.EXECUTORS - 1), // one may have no rows; events come late
                    kind));
        case POLICY ->
            List.of(failing("io.sparkata.allocation.Allocator", "allocate", round, kind));
        case PACKING_AGAIN ->
            List.of(
                losing(spark, round), failing("io.sparkata.blocks.BlockPacker", "pack", 2, kind));
      };
    }
  }

  private static Faults failing(String type, String method, int from, Faults.Kind kind) {
    return Faults.at(type, method, from, arguments -> kind.strike());
  }

  /** From the given round on, the thread's jobs carry the property. */
  private static Faults setting(JavaSparkContext spark, int round, String fault) {
    return Faults.at(
        "io.sparkata.placement.Placement",
        "plan",
        round,
        arguments -> spark.setLocalProperty(FaultPlugin.PROPERTY, fault));
  }

  /** At the given round, once, every packed block is taken away. */
  private static Faults losing(JavaSparkContext spark, int round) {
    AtomicBoolean hasStruck = new AtomicBoolean();
    return Faults.at(
        "io.sparkata.placement.Placement",
        "plan",
        round,
        arguments -> {
          if (hasStruck.getAndSet(true)) {
            return;
          }
          int newest = SparkInternals.newRddId(spark.sc());
          for (int id = Math.max(0, newest - 200); id < newest; id++) {
            spark.sc().env().blockManager().master().removeRdd(id, /* blocking= */ true);
          }
        });
  }

  /** The failing step, its round, the caller and spark.ata.onError. */
  record Case(Step step, int round, Caller caller, String onError) {
    List<Object> settings() {
      return List.of(step, round, caller, onError);
    }
  }

  private static Stream<Arguments> cases(String onError) {
    List<Case> all = new ArrayList<>();
    for (Step step : Step.values()) {
      for (int round : new int[] {1, 10}) {
        for (Caller caller : Caller.values()) {
          all.add(new Case(step, round, caller, FALLBACK));
          all.add(new Case(step, round, caller, FAIL));
        }
      }
    }
    return Pairwise.of(all, Case::settings).stream()
        .filter(one -> one.onError.equals(onError))
        .map(one -> Arguments.of(one.step, one.round, one.caller));
  }

  static Stream<Arguments> fallbackCases() {
    return cases(FALLBACK);
  }

  static Stream<Arguments> failCases() {
    return cases(FAIL);
  }

  @BeforeAll
  void trainByStockMllib() {
    Mllib.withStock(spark -> List.of(Caller.values()).forEach(c -> stock.put(c, c.train(spark))));
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
  }

  private static TestCluster start(String onError) {
    return TestCluster.start(
        Map.of(
            "spark.ata.route", "gradientDescent",
            "spark.ata.onError", onError,
            "spark.ata.execution", "stage", // faults strike at the start of a round's tasks
            "spark.ata.passThrough", "auto",
            "spark.ata.policy", "adaptive",
            "spark.ata.blockSize", "4k",
            "spark.plugins", "io.sparkata.AtaPlugin," + FaultPlugin.class.getName()));
  }

  private void assertStockWeights(Caller caller, double[] weights) {
    Vector expected = Vectors.dense(stock.get(caller));
    double difference = Math.sqrt(Vectors.sqdist(Vectors.dense(weights), expected));
    assertThat(difference / Math.max(1, Vectors.norm(expected, 2))).isLessThanOrEqualTo(1e-9);
    assertThat(Vectors.norm(expected, 2)).isPositive();
  }

  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class Fallback {
    private TestCluster cluster;
    private Leftovers leftovers;

    @BeforeAll
    void startCluster() {
      cluster = start(FALLBACK);
      leftovers = Leftovers.watch(cluster.context());
      Caller.LOGISTIC.train(cluster.context());
    }

    @AfterAll
    void stopCluster() {
      cluster.close();
      SparkSession.clearActiveSession();
      SparkSession.clearDefaultSession();
    }

    @ParameterizedTest(name = "{0} in round {1}, {2}")
    @MethodSource("io.sparkata.FaultsIT#fallbackCases")
    void train_troubleOfOurs_givesMllibsWeightsWithOneWarning(Step step, int round, Caller caller) {
      long fallbacks = cluster.counters().fallbacks.get();
      List<Faults> faults = step.arm(cluster.context(), round);
      try (CapturedLog log = CapturedLog.of("io.sparkata")) {
        double[] weights = caller.train(cluster.context());

        assertStockWeights(caller, weights);
        assertThat(log.messages(Level.WARN))
            .singleElement()
            .asString()
            .startsWith("Spark ATA: cannot " + step.effect)
            .contains(Faults.MESSAGE)
            .endsWith(WARNING_END);
        assertThat(cluster.counters().fallbacks.get() - fallbacks).isEqualTo(1);
      } finally {
        faults.forEach(Faults::close);
        cluster.context().setLocalProperty(FaultPlugin.PROPERTY, null);
      }
      leftovers.assertNone(Long.MAX_VALUE);
    }

    @Test
    void train_theCallCannotBeLookedAt_isMllibsWithOneWarning() {
      long fallbacks = cluster.counters().fallbacks.get();
      try (Faults faults =
              failing(
                  "io.sparkata.routing.EligibilityRules", "ofCall", 1, Faults.Kind.STACK_OVERFLOW);
          CapturedLog log = CapturedLog.of("io.sparkata")) {
        assertThat(faults).isNotNull();
        assertStockWeights(Caller.LOGISTIC, Caller.LOGISTIC.train(cluster.context()));
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
      try (Faults task = setting(cluster.context(), 3, FaultPlugin.TASK)) {
        assertThat(task).isNotNull();
        double difference =
            Math.sqrt(Vectors.sqdist(Vectors.dense(trainLargeModel()), Vectors.dense(untroubled)));
        assertThat(difference / Vectors.norm(Vectors.dense(untroubled), 2)).isLessThan(1e-9);
      } finally {
        cluster.context().setLocalProperty(FaultPlugin.PROPERTY, null);
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

    @Test
    void train_oneAttemptOfEachTaskFails_isRetriedWithoutWarning() {
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
      assertAllocatedToTheEnd(setting(cluster.context(), 10, FaultPlugin.TASK_ONCE));
      // At least one task in each of the rounds from 10 on.
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> failed.get() >= ITERATIONS + 1 - 9);
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
              10,
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
      assertAllocatedToTheEnd(losing(cluster.context(), 10));
      assertThat(cluster.counters().repackedPartitions.get() - repacked).isEqualTo(4);
    }

    private void assertAllocatedToTheEnd(Faults faults) {
      long rounds = cluster.counters().rounds.get();
      long fallbacks = cluster.counters().fallbacks.get();
      try (faults;
          CapturedLog log = CapturedLog.of("io.sparkata")) {
        assertStockWeights(Caller.LOGISTIC, Caller.LOGISTIC.train(cluster.context()));
        assertThat(log.messages(Level.WARN)).isEmpty();
      } finally {
        cluster.context().setLocalProperty(FaultPlugin.PROPERTY, null);
      }
      assertThat(cluster.counters().rounds.get() - rounds).isEqualTo(ITERATIONS + 1);
      assertThat(cluster.counters().fallbacks.get()).isEqualTo(fallbacks);
    }

    @SuppressWarnings("unchecked")
    private void coverTwice(Object covered) {
      List<Object> rows = (List<Object>) covered;
      rows.add(rows.get(0));
    }
  }

  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class Fail {
    private TestCluster cluster;

    @BeforeAll
    void startCluster() {
      cluster = start(FAIL);
    }

    @AfterAll
    void stopCluster() {
      cluster.close();
      SparkSession.clearActiveSession();
      SparkSession.clearDefaultSession();
    }

    @ParameterizedTest(name = "{0} in round {1}, {2}")
    @MethodSource("io.sparkata.FaultsIT#failCases")
    void train_troubleOfOurs_throws(Step step, int round, Caller caller) {
      List<Faults> faults = step.arm(cluster.context(), round);
      try {
        assertThatThrownBy(() -> caller.train(cluster.context()))
            .hasStackTraceContaining(Faults.MESSAGE);
      } finally {
        faults.forEach(Faults::close);
        cluster.context().setLocalProperty(FaultPlugin.PROPERTY, null);
      }
      assertThat(cluster.counters().fallbacks).hasValue(0);
      assertThat(cluster.runtime().openCalls()).isZero();
    }
  }
}
