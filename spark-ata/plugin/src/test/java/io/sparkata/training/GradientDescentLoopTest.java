package io.sparkata.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.CapturedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.logging.log4j.Level;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Updater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

class GradientDescentLoopTest {
  private static final double NEVER = 0;

  private final FakeUpdater updater = new FakeUpdater();
  private final Vector initial = Vectors.dense(1, 2);
  private CapturedLog log;
  private FakeBatches batches = new FakeBatches(round -> batch(4, 8, 4, 2));
  private int iterations = 3;
  private double fraction = 1;

  @BeforeEach
  void listen() {
    log = CapturedLog.of("org.apache.spark.mllib.optimization.GradientDescent");
  }

  @AfterEach
  void stopListening() {
    log.close();
  }

  @Test
  void run_neitherConvergedNorEmpty_hasOneMoreLossThanIterations() {
    Tuple2<Vector, double[]> trained = run(NEVER);

    assertThat(trained._2()).hasSize(4);
    assertThat(batches.rounds).containsExactly(1, 2, 3, 4);
    assertThat(updater.iterations).containsExactly(1, 1, 2, 3);
    assertThat(log.messages(Level.WARN)).isEmpty();
  }

  @Test
  void run_noIterations_takesOneLossAndLeavesTheWeights() {
    iterations = 0;
    Tuple2<Vector, double[]> trained = run(NEVER);

    assertThat(trained._1()).isEqualTo(initial);
    assertThat(trained._2()).containsExactly(2 + 0.125);
    assertThat(updater.iterations).containsExactly(1);
  }

  @Test
  void run_start_asksTheUpdaterWithStepZeroForTheRegularisation() {
    run(NEVER);

    assertThat(updater.calls.get(0)).isEqualTo("[1.0,2.0] [0.0,0.0] step=0.0 i=1 reg=0.5");
  }

  @Test
  void run_sparseInitialWeights_startsFromADenseCopy() {
    Vector sparse = Vectors.sparse(2, new int[] {1}, new double[] {2});
    Vector start =
        new GradientDescentLoop(training(sparse, NEVER), new FakeBatches(round -> batch(0, 0)))
            .run()
            ._1();

    assertThat(start).isEqualTo(Vectors.dense(0, 2)).isNotSameAs(sparse);
    assertThat(updater.calls.get(0)).startsWith("[0.0,2.0]");
  }

  @Test
  void run_batch_isDividedByItsActualCount() {
    batches = new FakeBatches(round -> batch(round, 10, 3, -6));
    iterations = 2;
    Tuple2<Vector, double[]> trained = run(NEVER);

    assertThat(updater.calls)
        .containsExactly(
            "[1.0,2.0] [0.0,0.0] step=0.0 i=1 reg=0.5",
            "[1.0,2.0] [3.0,-6.0] step=0.25 i=1 reg=0.5",
            "[-2.0,8.0] [1.5,-3.0] step=0.25 i=2 reg=0.5");
    // Each loss takes the regularisation of the update before.
    assertThat(trained._2()).containsExactly(10 + 0.125, 5 + 0.25, 10.0 / 3 + 0.5);
    assertThat(trained._1()).isEqualTo(Vectors.dense(-3.5, 11));
  }

  @Test
  void run_losses_areSeenWhenTheyAreKnown() {
    batches = new FakeBatches(round -> round == 2 ? batch(0, 0) : batch(round, 10, 3, -6));
    List<Double> seen = new ArrayList<>();
    GradientDescentLoop loop =
        new GradientDescentLoop(training(initial, NEVER), batches, seen::add);

    assertThat(loop.run()._2()).containsExactly(seen.stream().mapToDouble(one -> one).toArray());
  }

  @Test
  void run_weights_areHandedToTheNextBatch() {
    run(NEVER);

    assertThat(batches.weights).hasToString("[[1.0,2.0], [0.0,1.5], [-1.0,1.0], [-2.0,0.5]]");
  }

  @Test
  void run_emptyBatch_warnsAndGoesOnWithoutUpdateOrLoss() {
    batches = new FakeBatches(round -> round == 2 ? batch(0, 0) : batch(4, 8, 4, 2));
    Tuple2<Vector, double[]> trained = run(NEVER);

    assertThat(trained._2()).hasSize(3);
    assertThat(updater.iterations).containsExactly(1, 1, 3);
    assertThat(log.messages(Level.WARN))
        .containsExactly("Iteration (2/3). The size of sampled batch is zero");
  }

  @Test
  void run_onlyEmptyBatches_returnsTheStartAndNoLosses() {
    batches = new FakeBatches(round -> batch(0, 0));
    Tuple2<Vector, double[]> trained = run(0.001);

    assertThat(trained._1()).isEqualTo(initial);
    assertThat(trained._2()).isEmpty();
    assertThat(log.messages(Level.WARN))
        .containsExactly(
            "Iteration (1/3). The size of sampled batch is zero",
            "Iteration (2/3). The size of sampled batch is zero",
            "Iteration (3/3). The size of sampled batch is zero",
            "Iteration (4/3). The size of sampled batch is zero");
    assertThat(log.messages(Level.INFO))
        .containsExactly("GradientDescent.runMiniBatchSGD finished. Last 10 stochastic losses ");
  }

  @Test
  void run_noRows_warnsAndReturnsTheVeryInitialWeights() {
    batches.rows = 0;
    Tuple2<Vector, double[]> trained = run(NEVER);

    assertThat(trained._1()).isSameAs(initial);
    assertThat(trained._2()).isEmpty();
    assertThat(batches.rounds).isEmpty();
    assertThat(updater.calls).isEmpty();
    assertThat(log.messages(Level.WARN))
        .containsExactly(
            "GradientDescent.runMiniBatchSGD returning initial weights, no data found");
    assertThat(log.messages(Level.INFO)).isEmpty();
  }

  @Test
  void run_fractionBelowOneWithTolerance_warnsBeforeCounting() {
    fraction = 0.5;
    batches.rows = 0;
    run(0.001);

    assertThat(log.messages(Level.WARN).get(0))
        .isEqualTo(
            "Testing against a convergenceTol when using miniBatchFraction < 1.0 can be unstable"
                + " because of the stochasticity in sampling.");
    assertThat(log.messages(Level.WARN)).hasSize(2);
  }

  /** No tolerance, and as many iterations and rows as a fraction needs. */
  @ParameterizedTest
  @CsvSource({"0.5, 3, 100", "0.25, 4, 100", "0.5, 3, 2"})
  void run_fractionBelowOneAtTheBounds_warnsNot(double share, int rounds, long rows) {
    fraction = share;
    iterations = rounds;
    batches.rows = rows;
    run(NEVER);

    assertThat(log.messages(Level.WARN)).isEmpty();
  }

  @Test
  void run_iterationsTimesFractionBelowOne_warnsOfUnusedExamples() {
    fraction = 0.25;
    run(NEVER);

    assertThat(log.messages(Level.WARN))
        .containsExactly(
            "Not all examples will be used if numIterations * miniBatchFraction < 1.0:"
                + " numIterations=3 and miniBatchFraction=0.25");
  }

  @Test
  void run_rowsTimesFractionBelowOne_warnsAndGoesOn() {
    fraction = 0.5;
    batches.rows = 1;
    Tuple2<Vector, double[]> trained = run(NEVER);

    assertThat(log.messages(Level.WARN)).containsExactly("The miniBatchFraction is too small");
    assertThat(trained._2()).hasSize(4);
  }

  @Test
  void run_finished_logsTheLastTenLosses() {
    batches = new FakeBatches(round -> batch(1, round - 0.125 * Math.min(round, 2), 0, 0));
    updater.isRegularised = false;
    iterations = 11;
    run(NEVER);

    assertThat(log.messages(Level.INFO))
        .containsExactly(
            "GradientDescent.runMiniBatchSGD finished. Last 10 stochastic losses"
                + " 2.75, 3.75, 4.75, 5.75, 6.75, 7.75, 8.75, 9.75, 10.75, 11.75");
  }

  @Test
  void run_weightsStandStill_convergesAtTheSecondUpdateNotTheFirst() {
    batches = new FakeBatches(round -> batch(1, 1, 0, 0));
    Tuple2<Vector, double[]> trained = run(0.001);

    assertThat(batches.rounds).containsExactly(1, 2);
    assertThat(trained._2()).hasSize(2);
  }

  @Test
  void run_firstBatchesEmpty_comparesFromTheSecondThatIsNot() {
    batches = new FakeBatches(round -> round <= 2 ? batch(0, 0) : batch(1, 1, 0, 0));
    iterations = 10;
    run(0.001);

    assertThat(batches.rounds).containsExactly(1, 2, 3, 4);
  }

  @Test
  void run_standsStillAfterMoving_convergesAgainstTheUpdateBefore() {
    batches = new FakeBatches(round -> batch(1, 1, round <= 3 ? 100 : 0, 0));
    iterations = 10;
    run(0.001);

    assertThat(batches.rounds).containsExactly(1, 2, 3, 4);
  }

  @Test
  void run_changeEqualToTheTolerance_goesOn() {
    // The weights stay on one axis and below 1, where the tolerance is absolute: steps of 1/8.
    batches = new FakeBatches(round -> batch(1, 1, 0.125, 0));
    iterations = 4;
    Vector start = Vectors.dense(0.5, 0);

    assertThat(lossesFrom(start, 0.125)).hasSize(5);
    assertThat(lossesFrom(start, Math.nextUp(0.125))).hasSize(2);
  }

  @Test
  void run_largeWeights_measureTheChangeAgainstTheirNorm() {
    // From (384, 512) on, the first update leads to (372, 496): norm 620; the second to (360, 480):
    // norm 600, a change of 20.
    batches = new FakeBatches(round -> batch(1, 1, 12, 16));
    Vector start = Vectors.dense(384, 512);
    iterations = 2;

    assertThat(lossesFrom(start, 20.0 / 600)).hasSize(3);
    assertThat(lossesFrom(start, 20.0 / 599)).hasSize(2);
  }

  @Test
  void run_toleranceZero_neverConverges() {
    batches = new FakeBatches(round -> batch(1, 1, 0, 0));

    assertThat(run(0)._2()).hasSize(4);
  }

  @Test
  void run_notANumber_neverConverges() {
    batches = new FakeBatches(round -> batch(1, Double.NaN, Double.NaN, 0));
    Tuple2<Vector, double[]> trained = run(1e300);

    assertThat(trained._2()).hasSize(4).containsOnly(Double.NaN);
    assertThat(trained._1().apply(0)).isNaN();
  }

  @Test
  void run_infiniteWeights_raiseNothing() {
    batches = new FakeBatches(round -> batch(1, 1, Double.NEGATIVE_INFINITY, 0));
    Tuple2<Vector, double[]> trained = run(0.001);

    assertThat(trained._2()).hasSize(4);
    assertThat(trained._1().apply(0)).isEqualTo(Double.POSITIVE_INFINITY);
  }

  @Test
  void run_zeroFeatures_trainsNothing() {
    batches = new FakeBatches(round -> batch(2, 1));
    Vector none = Vectors.dense(new double[0]);

    assertThat(new GradientDescentLoop(training(none, NEVER), batches).run()._1()).isEqualTo(none);
  }

  private Tuple2<Vector, double[]> run(double tolerance) {
    return new GradientDescentLoop(training(initial, tolerance), batches).run();
  }

  private double[] lossesFrom(Vector start, double tolerance) {
    return new GradientDescentLoop(training(start, tolerance), batches).run()._2();
  }

  private Training training(Vector start, double tolerance) {
    return new Training(
        /* data= */ null,
        /* gradient= */ null,
        updater,
        /* stepSize= */ 0.25,
        iterations,
        /* regParam= */ 0.5,
        fraction,
        start,
        tolerance);
  }

  private static BatchSum batch(int count, double loss, double... gradient) {
    BatchSum sum = new BatchSum();
    sum.add(count == 0 ? null : gradient, loss, count);
    return sum;
  }

  /** Returns the given sum of each round. */
  private static final class FakeBatches implements BatchSource {
    final List<Integer> rounds = new ArrayList<>();
    final List<Vector> weights = new ArrayList<>();
    private final IntFunction<BatchSum> sums;
    long rows = 100;

    FakeBatches(IntFunction<BatchSum> sums) {
      this.sums = sums;
    }

    @Override
    public long countRows() {
      return rows;
    }

    @Override
    public BatchSum sum(int iteration, Vector model) {
      rounds.add(iteration);
      weights.add(model);
      return sums.apply(iteration);
    }

    @Override
    public void close() {}
  }

  /** Subtracts the gradient whatever the step; its regularisation doubles from 1/8 on. */
  private static final class FakeUpdater extends Updater {
    private static final long serialVersionUID = 1L;

    final transient List<String> calls = new ArrayList<>();
    final transient List<Integer> iterations = new ArrayList<>();
    boolean isRegularised = true;

    @Override
    public Tuple2<Vector, Object> compute(
        Vector old, Vector gradient, double stepSize, int iteration, double regParam) {
      double regularisation = isRegularised ? 0.125 * (1 << calls.size()) : 0;
      calls.add(
          old + " " + gradient + " step=" + stepSize + " i=" + iteration + " reg=" + regParam);
      iterations.add(iteration);
      double[] next = old.toArray().clone();
      for (int i = 0; i < next.length; i++) {
        next[i] -= gradient.apply(i);
      }
      return new Tuple2<>(Vectors.dense(next), regularisation);
    }
  }
}
