package io.sparkata.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.lab.cnn.AdamUpdater;
import io.sparkata.testing.LocalSpark;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SimpleUpdater;
import org.apache.spark.mllib.optimization.Updater;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Members against plain SGD over the same batches. */
class RingTrainingTest {
  private static final int FEATURES = 13;
  private static final int ROWS = 200;
  private static final int BATCH = 24;
  private static final int ITERATIONS = 25;
  private static final int MEMBERS = 3;
  private static final double STEP = 0.1;

  @Test
  void run_fixedShares_isSequentialSgdAndCountsRowsAndTimes() throws Exception {
    List<RingResult> results =
        Threads.run(
            MEMBERS,
            ring ->
                training(RingShares.fixed(5, 2, 1), new AdamUpdater(FEATURES))
                    .run(ring, RingTrainingTest::row, System.nanoTime()));

    RingResult result = results.get(0);
    assertSequential(result);
    assertThat(results).extracting(RingResult::weights).containsOnly(result.weights());
    assertThat(result.rows()).containsExactly(15L * ITERATIONS, 6L * ITERATIONS, 3L * ITERATIONS);
    assertThat(result.computeSeconds()).hasSize(MEMBERS).doesNotContain(0.0);
    assertThat(result.endSeconds()).hasSize(ITERATIONS).isSorted();
    assertThat(result.endSeconds().get(0)).isGreaterThan(result.setUpSeconds());
  }

  @Test
  void run_withAnUpdaterThatDiffersByMember_fails() {
    assertThatThrownBy(
            () ->
                Threads.run(
                    2,
                    ring ->
                        training(
                                RingShares.fixed(1, 1),
                                ring.rank() == 0 ? new SimpleUpdater() : new AdamUpdater(FEATURES))
                            .run(ring, RingTrainingTest::row, System.nanoTime())))
        .hasMessageContaining(
            "Cannot use the weights: members differ."
                + " The updater must depend on its arguments alone.");
  }

  @Test
  void job_withSelfAdaptiveSharesOnSlotsOfSpark_isSequentialSgd() {
    try (JavaSparkContext context =
        LocalSpark.startPlain(Map.of("spark.master", "local[" + MEMBERS + "]"))) {
      RingRows rows = RingTrainingTest::row;

      assertSequential(
          RingJob.run(
              context,
              MEMBERS,
              context.broadcast(rows),
              training(
                  RingShares.selfAdaptive(MEMBERS, /* rounds= */ 3), new AdamUpdater(FEATURES))));
    }
  }

  @Test
  void sample_ofARound_isTheSameEachTimeAndAnotherInOtherRounds() {
    RingTraining training = training(RingShares.fixed(1), new AdamUpdater(FEATURES));

    assertThat(training.sample(4)).hasSize(BATCH).isEqualTo(training.sample(4));
    assertThat(training.sample(5)).isNotEqualTo(training.sample(4));
  }

  @Test
  void address_order_isThatOfTheClustersHosts() {
    assertThat(List.of("127.0.0.9:00001", "127.0.0.9:00002", "127.0.0.10:00001"))
        .isSortedAccordingTo(RingJob.BY_HOST);
  }

  private static RingTraining training(RingShares shares, Updater updater) {
    return new RingTraining(
        Vectors.zeros(FEATURES),
        new LogisticGradient(),
        updater,
        STEP,
        ITERATIONS,
        ROWS,
        BATCH,
        /* seed= */ 7,
        shares);
  }

  private static Tuple2<Object, Vector> row(int index) {
    double[] features = new SplittableRandom(index).doubles(FEATURES, -1, 1).toArray();
    return new Tuple2<>(features[0] + features[1] > 0 ? 1.0 : 0.0, Vectors.dense(features));
  }

  private static void assertSequential(RingResult result) {
    RingTraining training = training(RingShares.fixed(1), new AdamUpdater(FEATURES));
    Vector weights = training.start();
    for (int k = 0; k < ITERATIONS; k++) {
      double[] slope = new double[FEATURES];
      double loss = 0;
      for (int index : training.sample(k)) {
        Tuple2<Object, Vector> row = row(index);
        loss +=
            training.gradient().compute(row._2(), (Double) row._1(), weights, Vectors.dense(slope));
      }
      assertThat(result.losses().get(k)).isCloseTo(loss / BATCH, within(1e-9));
      for (int i = 0; i < FEATURES; i++) {
        slope[i] /= BATCH;
      }
      weights = training.updater().compute(weights, Vectors.dense(slope), STEP, k + 1, 0)._1();
    }
    assertThat(result.weights().toArray()).containsExactly(weights.toArray(), within(1e-9));
  }
}
