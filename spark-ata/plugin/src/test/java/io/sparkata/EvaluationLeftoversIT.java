package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.BrokenGradient;
import io.sparkata.testing.BlockingGradient;
import io.sparkata.testing.FaultPlugin;
import io.sparkata.testing.FaultPlugin.Fault;
import io.sparkata.testing.Faults;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.Fitted;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.TestCluster;
import java.nio.file.Path;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Tuple2;

/** After a fit, however it ends, nothing of it is left; in jobs and by message. */
class EvaluationLeftoversIT {
  private static final int FEATURES = 12;
  private static final int ROWS = 900;
  private static final int PARTITIONS = 4;
  private static final String LOSS_FUNCTION = "org.apache.spark.ml.optim.loss.RDDLossFunction";
  private static final String COST_FUNCTION = "org.apache.spark.mllib.optimization.LBFGS$CostFun";

  @Nested
  @Tag("nightly") // FaultsIT has failures of jobs, the next class has all of these
  class OfJobs extends Fits {
    OfJobs() {
      super("stage");
    }
  }

  @Nested
  class ByMessage extends Fits {
    ByMessage() {
      super("resident");
    }
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  private abstract static class Fits {
    private final String execution;
    private TestCluster cluster;
    private Leftovers leftovers;
    private long evaluationsBefore;
    private long residentBefore;

    Fits(String execution) {
      this.execution = execution;
    }

    @BeforeAll
    void start() {
      cluster =
          TestCluster.start(
              Map.of(
                  "spark.ata.route",
                  "lbfgs",
                  "spark.ata.execution",
                  execution,
                  "spark.ata.blockSize",
                  "4k",
                  "spark.plugins",
                  FaultPlugin.PLUGINS));
      Fit.LOGISTIC.train(data(), Fit.Terms.PLAIN, /* iterations= */ 1);
      leftovers = Leftovers.watch(cluster.context());
      Fit.LOGISTIC.train(data(), Fit.Terms.PLAIN, /* iterations= */ 1); // shows accumulators
    }

    @AfterAll
    void stop() {
      cluster.close();
    }

    @BeforeEach
    void count() {
      evaluationsBefore = cluster.evaluations().rounds.get();
      residentBefore = cluster.evaluations().residentRounds.get();
    }

    @AfterEach
    void disarm() {
      FaultPlugin.disarm();
    }

    private FitData data() {
      return FitData.even(
          cluster.context(), FEATURES, /* sparse= */ false, FitData.SMALL_BLOCKS, ROWS, PARTITIONS);
    }

    @ParameterizedTest
    @EnumSource(names = {"LOGISTIC", "PERCEPTRON"}) // by ml's loss, and by MLlib's LBFGS
    void fit_ends_leavesNothing(Fit fit) {
      assertLeavesNothing(fit);
    }

    @ParameterizedTest
    @EnumSource(
        names = {"LOGISTIC", "PERCEPTRON"},
        mode = EnumSource.Mode.EXCLUDE)
    @Tag("nightly")
    void fit_anotherEnds_leavesNothing(Fit fit) {
      assertLeavesNothing(fit);
    }

    private void assertLeavesNothing(Fit fit) {
      fit.train(data(), Fit.Terms.PLAIN, /* iterations= */ 4);

      assertThat(evaluations()).isPositive();
      leftovers.awaitNothingPersisted();
      leftovers.awaitNone();
    }

    /** Spark itself leaves the RDD of a fit that fails to the garbage collector. */
    @Test
    void fit_tasksFailInTheThirdEvaluation_throwsAndLeavesNothing() {
      assertFailsInTheThirdEvaluation(() -> FaultPlugin.arm(Fault.WORK));
    }

    @Test
    void fit_theDriverFailsBetweenEvaluations_leavesNothing() {
      assertFailsInTheThirdEvaluation(Faults.Kind.EXCEPTION::strike);
    }

    private void assertFailsInTheThirdEvaluation(Runnable fault) {
      try (Faults third = inThirdEvaluation(LOSS_FUNCTION, fault)) {
        assertThat(third).isNotNull();
        assertThatThrownBy(() -> Fit.LOGISTIC.train(data(), Fit.Terms.PLAIN, /* iterations= */ 6))
            .hasStackTraceContaining(Faults.MESSAGE);
      }
      assertTwoEvaluations();
      leftovers.awaitNone();
    }

    /**
     * The RDD is the user's: another fit may follow, and it stays persisted until the user ends
     * that.
     */
    @Test
    void fit_usersGradientThrowsInTheThirdEvaluation_leavesNothingOnceUnpersisted(
        @TempDir Path folder) {
      Path bug = folder.resolve("bug");
      RDD<Tuple2<Object, Vector>> rows = data().binaryRows().persist(StorageLevel.MEMORY_ONLY());
      try (Faults third = inThirdEvaluation(COST_FUNCTION, () -> BlockingGradient.mark(bug))) {
        assertThat(third).isNotNull();
        assertThatThrownBy(() -> train(rows, BrokenGradient.by(bug)))
            .hasStackTraceContaining(BrokenGradient.MESSAGE);
      }
      assertTwoEvaluations();
      train(rows, new LogisticGradient());
      assertThat(evaluations()).as("a later fit's, too").isGreaterThan(4);

      rows.unpersist(/* blocking= */ false);

      leftovers.awaitNothingPersisted();
      leftovers.awaitNone();
    }

    @Test
    void fit_theRddBecomesGarbage_leavesNothing() {

      train(data().binaryRows().persist(StorageLevel.MEMORY_ONLY()), new LogisticGradient());

      assertThat(evaluations()).isPositive();
      leftovers.awaitNone();
    }

    @Test
    void fit_itsJobGroupIsCancelledInTheThirdEvaluation_throwsAndLeavesNothing() {
      String group = "cancelled fit";
      try (Faults third = inThirdEvaluation(LOSS_FUNCTION, () -> FaultPlugin.arm(Fault.HANG))) {
        assertThat(third).isNotNull();
        CompletableFuture<Fitted> fit =
            cluster.startInGroup(
                group, () -> Fit.LOGISTIC.train(data(), Fit.Terms.PLAIN, /* iterations= */ 6));
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(FaultPlugin::hasStruck);

        cluster.context().cancelJobGroup(group);

        assertThatThrownBy(fit::join).hasStackTraceContaining("cancelled job group " + group);
      }
      assertTwoEvaluations();
      assertThat(cluster.evaluations().fallbacks).hasValue(0);
      leftovers.awaitNone();
    }

    /** Of which the first packed. */
    private void assertTwoEvaluations() {
      assertThat(evaluations()).isEqualTo(2);
      assertThat(cluster.evaluations().residentRounds.get() - residentBefore)
          .as("rounds by message")
          .isEqualTo(execution.equals("resident") ? 1 : 0);
    }

    private long evaluations() {
      return cluster.evaluations().rounds.get() - evaluationsBefore;
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
}
