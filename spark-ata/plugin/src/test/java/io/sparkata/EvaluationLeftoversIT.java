package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.testing.FaultPlugin;
import io.sparkata.testing.Faults;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.Fitted;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.ObedientGradient;
import io.sparkata.testing.TestCluster;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LBFGS;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Tuple2;

/** After a fit, however it ends, nothing of it is left. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EvaluationLeftoversIT {
  private static final int FEATURES = 12;
  private static final int ROWS = 900;
  private static final int PARTITIONS = 4;
  private static final String LOSS_FUNCTION = "org.apache.spark.ml.optim.loss.RDDLossFunction";
  private static final String COST_FUNCTION = "org.apache.spark.mllib.optimization.LBFGS$CostFun";

  private TestCluster cluster;
  private Leftovers leftovers;

  @BeforeAll
  void start() {
    cluster =
        TestCluster.start(
            Map.of(
                "spark.ata.route", "lbfgs",
                "spark.ata.execution", "stage", // faults strike at the start of a round's tasks
                "spark.ata.blockSize", "4k",
                "spark.plugins", "io.sparkata.AtaPlugin," + FaultPlugin.class.getName()));
    Fit.LOGISTIC.train(data(), Fit.Terms.PLAIN, /* iterations= */ 1);
    leftovers = Leftovers.watch(cluster.context());
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private FitData data() {
    return FitData.even(
        cluster.context(), FEATURES, /* sparse= */ false, FitData.SMALL_BLOCKS, ROWS, PARTITIONS);
  }

  @ParameterizedTest
  @EnumSource
  void fit_ends_leavesNothing(Fit fit) {
    long rounds = cluster.evaluations().rounds.get();

    fit.train(data(), Fit.Terms.PLAIN, /* iterations= */ 4);

    assertThat(cluster.evaluations().rounds.get() - rounds).isPositive();
    leftovers.awaitNothingPersisted();
    leftovers.awaitNone();
  }

  /** Spark itself leaves the RDD of a fit that fails to the garbage collector. */
  @Test
  void fit_tasksFailInTheThirdEvaluation_throwsAndLeavesNothing() {
    long rounds = cluster.evaluations().rounds.get();
    try (Faults third =
        inThirdEvaluation(LOSS_FUNCTION, () -> set(FaultPlugin.PROPERTY, FaultPlugin.TASK))) {
      assertThat(third).isNotNull();
      assertThatThrownBy(() -> Fit.LOGISTIC.train(data(), Fit.Terms.PLAIN, /* iterations= */ 6))
          .hasStackTraceContaining(Faults.MESSAGE);
    } finally {
      set(FaultPlugin.PROPERTY, null);
    }
    assertThat(cluster.evaluations().rounds.get() - rounds).isEqualTo(2);
    leftovers.awaitNone();
  }

  @Test
  void fit_theDriverFailsBetweenEvaluations_leavesNothing() {
    long rounds = cluster.evaluations().rounds.get();
    try (Faults third = inThirdEvaluation(LOSS_FUNCTION, Faults.Kind.EXCEPTION::strike)) {
      assertThat(third).isNotNull();
      assertThatThrownBy(() -> Fit.LOGISTIC.train(data(), Fit.Terms.PLAIN, /* iterations= */ 6))
          .hasStackTraceContaining(Faults.MESSAGE);
    }
    assertThat(cluster.evaluations().rounds.get() - rounds).isEqualTo(2);
    leftovers.awaitNone();
  }

  /**
   * The RDD is the user's: another fit may follow, and it stays persisted until the user ends that.
   */
  @Test
  void fit_usersGradientThrowsInTheThirdEvaluation_leavesNothingOnceUnpersisted() {
    long rounds = cluster.evaluations().rounds.get();
    RDD<Tuple2<Object, Vector>> rows = data().binaryRows().persist(StorageLevel.MEMORY_ONLY());
    try (Faults third =
        inThirdEvaluation(COST_FUNCTION, () -> set(ObedientGradient.PROPERTY, "throw"))) {
      assertThat(third).isNotNull();
      assertThatThrownBy(() -> train(rows, new ObedientGradient()))
          .hasStackTraceContaining(ObedientGradient.MESSAGE);
    } finally {
      set(ObedientGradient.PROPERTY, null);
    }
    assertThat(cluster.evaluations().rounds.get() - rounds).isEqualTo(2);
    train(rows, new LogisticGradient());
    assertThat(cluster.evaluations().rounds.get() - rounds)
        .as("a later fit's, too")
        .isGreaterThan(4);

    rows.unpersist(/* blocking= */ false);

    leftovers.awaitNothingPersisted();
    leftovers.awaitNone();
  }

  @Test
  void fit_theRddBecomesGarbage_leavesNothing() {
    long rounds = cluster.evaluations().rounds.get();

    train(data().binaryRows().persist(StorageLevel.MEMORY_ONLY()), new LogisticGradient());

    assertThat(cluster.evaluations().rounds.get() - rounds).isPositive();
    leftovers.awaitNone();
  }

  @Test
  void fit_itsJobGroupIsCancelledInTheThirdEvaluation_throwsAndLeavesNothing() {
    String group = "cancelled fit";
    long rounds = cluster.evaluations().rounds.get();
    try (Faults third =
        inThirdEvaluation(LOSS_FUNCTION, () -> set(FaultPlugin.PROPERTY, FaultPlugin.HANG))) {
      assertThat(third).isNotNull();
      CompletableFuture<Fitted> fit =
          CompletableFuture.supplyAsync(
              () -> {
                cluster.context().setJobGroup(group, "to be cancelled");
                try {
                  return Fit.LOGISTIC.train(data(), Fit.Terms.PLAIN, /* iterations= */ 6);
                } finally { // the thread is a pool's
                  cluster.context().clearJobGroup();
                  set(FaultPlugin.PROPERTY, null);
                }
              });
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  cluster.evaluations().rounds.get() - rounds == 2
                      && cluster.context().statusTracker().getActiveJobIds().length > 0);

      cluster.context().cancelJobGroup(group);

      assertThatThrownBy(fit::join).hasStackTraceContaining("cancelled job group " + group);
    }
    assertThat(cluster.evaluations().rounds.get() - rounds).isEqualTo(2);
    assertThat(cluster.evaluations().fallbacks).hasValue(0);
    leftovers.awaitNone();
  }

  private void set(String property, String value) {
    cluster.context().setLocalProperty(property, value);
  }

  /** Runs {@code action} before each evaluation from the third on. */
  private static Faults inThirdEvaluation(String function, Runnable action) {
    return Faults.at(function, "calculate", /* from= */ 3, arguments -> action.run());
  }

  private static void train(RDD<Tuple2<Object, Vector>> rows, Gradient gradient) {
    LBFGS.runLBFGS(
        rows,
        gradient,
        new SquaredL2Updater(),
        /* numCorrections= */ 10,
        /* convergenceTol= */ 0,
        /* maxNumIterations= */ 6,
        /* regParam= */ 0.01,
        Vectors.zeros(FEATURES));
  }
}
