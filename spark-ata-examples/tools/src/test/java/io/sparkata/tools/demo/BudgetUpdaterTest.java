package io.sparkata.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

class BudgetUpdaterTest {
  private static final Vector WEIGHTS = Vectors.dense(1.0, 2.0);
  private static final Vector GRADIENT = Vectors.dense(0.5, -0.5);
  private static final double REG_PARAM = 0.1;

  private long nanos;

  @Test
  void compute_budgetLeft_isTheUpdate() {
    BudgetUpdater updater = updater(/* seconds= */ 5, /* mostKept= */ 10);

    Tuple2<Vector, Object> updated = roundAt(updater, /* second= */ 4.9, /* iteration= */ 1);

    assertThat(updated)
        .isEqualTo(new SquaredL2Updater().compute(WEIGHTS, GRADIENT, 1.0, 1, REG_PARAM));
    assertThat(updater.updates()).isEqualTo(1);
  }

  @Test
  void compute_budgetSpent_keepsWeightsAndRegularisation() {
    BudgetUpdater updater = updater(/* seconds= */ 5, /* mostKept= */ 10);
    Object regularisation = roundAt(updater, /* second= */ 1, /* iteration= */ 1)._2();

    Tuple2<Vector, Object> last = roundAt(updater, /* second= */ 5, /* iteration= */ 2);

    assertThat(last._1()).isSameAs(WEIGHTS);
    assertThat(last._2()).isEqualTo(regularisation);
    assertThat(updater.updates()).isEqualTo(1);
    assertThat(updater.rounds()).isEqualTo(2);
  }

  @Test
  void compute_firstRoundPastTheBudget_isAnUpdateAllTheSame() {
    BudgetUpdater updater = updater(/* seconds= */ 5, /* mostKept= */ 10);

    assertThat(roundAt(updater, /* second= */ 60, /* iteration= */ 1)._1()).isNotEqualTo(WEIGHTS);
  }

  @Test
  void compute_mllibsQuestionBeforeTheFirstRound_isNoRound() {
    BudgetUpdater updater = updater(/* seconds= */ 5, /* mostKept= */ 10);

    updater.compute(WEIGHTS, Vectors.zeros(2), /* stepSize= */ 0, /* iteration= */ 1, REG_PARAM);

    assertThat(updater.rounds()).isZero();
  }

  @Test
  void roundEnds_threeRounds_areTheSecondsFromTheStart() {
    BudgetUpdater updater = updater(/* seconds= */ 5, /* mostKept= */ 2);
    roundAt(updater, /* second= */ 3, /* iteration= */ 1);
    roundAt(updater, /* second= */ 4, /* iteration= */ 2);
    roundAt(updater, /* second= */ 4.5, /* iteration= */ 3);

    assertThat(updater.roundEnds()).containsExactly(3.0, 4.0, 4.5);
    assertThat(updater.secondsOf(1)).isEqualTo(3);
    assertThat(updater.secondsOf(3)).isEqualTo(0.5);
    assertThat(updater.kept()).isEqualTo(2);
  }

  /** Every round takes a second of the test's clock, and the budget has room for three. */
  @Test
  void train_budgetOfThreeRounds_hasTheWeightsOfThreeIterations() {
    try (JavaSparkContext spark = start()) {
      RDD<Tuple2<Object, Vector>> rows = rows(spark);
      for (DemoSide side : List.of(DemoSide.MLLIB, DemoSide.UNIFORM)) {
        Tuple2<Vector, double[]> expected =
            side.train(rows, problem(/* convergenceTol= */ 0, 3), new SquaredL2Updater());
        BudgetUpdater updater =
            new BudgetUpdater(
                new SquaredL2Updater(),
                /* seconds= */ 3.5,
                () -> nanos += 1_000_000_000,
                /* mostKept= */ 10);

        Tuple2<Vector, double[]> trained =
            side.train(rows, problem(BudgetUpdater.TOLERANCE, /* iterations= */ 50), updater);

        assertThat(updater.updates()).as(side.id()).isEqualTo(3);
        assertThat(trained._2()).as(side.id()).containsExactly(expected._2(), within(1e-12));
        assertThat(trained._1().toArray()).containsExactly(expected._1().toArray(), within(1e-12));
        assertThat(updater.weightsAfter(3)).isEqualTo(trained._1());
      }
      Counters counters = AtaRuntime.of(spark.sc()).orElseThrow().counters();
      assertThat(counters.rounds.get()).as("rounds of uniform, both times").isEqualTo(2 * 4);
    }
  }

  private static DemoSide.Problem problem(double convergenceTol, int iterations) {
    return new DemoSide.Problem(
        new LogisticGradient(),
        /* size= */ 3,
        /* step= */ 1,
        REG_PARAM,
        iterations,
        convergenceTol);
  }

  private static JavaSparkContext start() {
    return new JavaSparkContext(
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("budget-updater-test")
            .set("spark.ui.enabled", "false")
            .set("spark.plugins", "io.sparkata.AtaPlugin")
            .set("spark.ata.enabled", "true")
            .set("spark.ata.passThrough", "never")
            .set("spark.ata.route", "none"));
  }

  private static RDD<Tuple2<Object, Vector>> rows(JavaSparkContext spark) {
    return spark
        .parallelize(
            IntStream.range(0, 100)
                .mapToObj(
                    i ->
                        new Tuple2<Object, Vector>(i % 2.0, Vectors.dense(1, i % 7, i % 2 + i % 3)))
                .toList(),
            2)
        .rdd();
  }

  private BudgetUpdater updater(double seconds, int mostKept) {
    return new BudgetUpdater(new SquaredL2Updater(), seconds, () -> nanos, mostKept);
  }

  private Tuple2<Vector, Object> roundAt(BudgetUpdater updater, double second, int iteration) {
    nanos = (long) (second * 1e9);
    return updater.compute(WEIGHTS, GRADIENT, /* stepSize= */ 1, iteration, REG_PARAM);
  }
}
