package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class PriorTrustTest {

  private static final int SEEDS = 500;
  private static final int ROUNDS = 50;
  private static final int UNITS_PER_ROUND = 8;
  private static final int PRIOR_UNITS = 16;
  private static final double[] DIFFERENT = {1, 2, 3, 4, 5, 6, 7, 8};
  private static final double[] EQUAL = {3, 3, 3, 3, 3, 3, 3, 3};

  @Test
  void isLost_nothingToCompare_isFalse() {
    TimeNoise noise = new TimeNoise();
    TrackedWorker believed = new TrackedWorker(AdaptiveTuning.DEFAULT, /* round= */ 0);
    believed.believe(new Prior(1, 1e6));
    TrackedWorker seen = new TrackedWorker(AdaptiveTuning.DEFAULT, /* round= */ 0);
    seen.finish(1, 1e6);
    seen.learn(noise);

    assertThat(PriorTrust.isLost(List.of(), noise)).isFalse();
    assertThat(PriorTrust.isLost(List.of(believed, seen), noise)).isFalse();
  }

  /** The whole machine may be slower than before. */
  @Test
  void isLost_oneWorkerFarFromItsPrior_isFalse() {
    TimeNoise noise = new TimeNoise();
    TrackedWorker far = new TrackedWorker(AdaptiveTuning.DEFAULT, /* round= */ 0);
    far.believe(new Prior(1, 1e6));
    far.finish(1e6, 5e6);
    far.learn(noise);
    TrackedWorker unheard = new TrackedWorker(AdaptiveTuning.DEFAULT, /* round= */ 0);
    unheard.believe(new Prior(2, 1e6));

    assertThat(PriorTrust.isLost(List.of(far, unheard), noise)).isFalse();
  }

  /** Half the difference of squares against a common time, by hand. */
  @Test
  void isLost_twoWorkers_comparesSquaredSurprises() {
    TimeNoise noise = new TimeNoise();
    double deviation = noise.deviation(1, 1);
    // Observed e^x and e^-x, priors e^-x and e^x: (2 * (2x)^2 - 2 * x^2) / (2 v) = 3 x^2 / v > 5.
    double critical = deviation * Math.sqrt(5.0 / 3);

    assertThat(PriorTrust.isLost(swapped(0.99 * critical, noise), noise)).isFalse();
    assertThat(PriorTrust.isLost(swapped(1.01 * critical, noise), noise)).isTrue();
  }

  private static List<TrackedWorker> swapped(double x, TimeNoise noise) {
    List<TrackedWorker> workers = new ArrayList<>();
    for (double exponent : new double[] {x, -x}) {
      TrackedWorker worker = new TrackedWorker(AdaptiveTuning.DEFAULT, /* round= */ 0);
      worker.believe(new Prior(Math.exp(-exponent), 1));
      worker.finish(1, Math.exp(exponent));
      worker.learn(noise);
      workers.add(worker);
    }
    return workers;
  }

  /**
   * Seeds of 500 in which trust is lost within 50 rounds.
   *
   * <pre>
   * healthy  different workers, priors of 16 or 1600 units   0
   * healthy  equal workers, priors of 1600 units            17
   * bar                                                     50
   * broken   different workers, reversed priors            500
   * </pre>
   */
  @Test
  void isLost_rightPriors_isRare() {
    assertThat(lost(DIFFERENT, i -> i, PRIOR_UNITS, ROUNDS)).hasSizeLessThan(50);
    assertThat(lost(DIFFERENT, i -> i, 100 * PRIOR_UNITS, ROUNDS)).hasSizeLessThan(50);
    assertThat(lost(EQUAL, i -> i, 100 * PRIOR_UNITS, ROUNDS)).hasSizeLessThan(50);
  }

  /**
   * For equal workers any common number predicts better than priors of few units each: here trust
   * is lost in two of five seeds. By then the workers' own rounds contain more information than the
   * priors.
   */
  @Test
  void isLost_coarsePriorsOfEqualWorkers_losesLessThanWhatWasSeen() {
    List<List<TrackedWorker>> lost = lost(EQUAL, i -> i, PRIOR_UNITS, ROUNDS);
    double believed = 0;
    double seen = 0;
    for (List<TrackedWorker> workers : lost) {
      for (TrackedWorker worker : workers) {
        believed += Math.pow(Math.log(worker.prior().mean() / EQUAL[0]), 2);
        seen += Math.pow(Math.log(worker.sums().ownMeanTime() / EQUAL[0]), 2);
      }
    }

    assertThat(seen).isLessThan(believed);
  }

  @Test
  void isLost_reversedPriors_isAlwaysWithinThreeRounds() {
    IntUnaryOperator reversed = i -> DIFFERENT.length - 1 - i;

    assertThat(lost(DIFFERENT, reversed, PRIOR_UNITS, /* rounds= */ 3)).hasSize(SEEDS);
  }

  /**
   * The seeds in which trust is lost. Each worker has the prior that was observed of the worker
   * that {@code of} names.
   */
  private static List<List<TrackedWorker>> lost(
      double[] means, IntUnaryOperator of, int priorUnits, int rounds) {
    List<List<TrackedWorker>> lost = new ArrayList<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      TimeNoise noise = new TimeNoise();
      List<TrackedWorker> workers = new ArrayList<>();
      for (int i = 0; i < means.length; i++) {
        double total = time(means[of.applyAsInt(i)], priorUnits, random);
        TrackedWorker worker = new TrackedWorker(AdaptiveTuning.DEFAULT, /* round= */ 0);
        worker.believe(new Prior(total / priorUnits, priorUnits));
        workers.add(worker);
      }
      boolean isLost = false;
      for (int round = 0; round < rounds && !isLost; round++) {
        for (int i = 0; i < means.length; i++) {
          workers.get(i).finish(UNITS_PER_ROUND, time(means[i], UNITS_PER_ROUND, random));
          workers.get(i).learn(noise);
        }
        isLost = PriorTrust.isLost(workers, noise);
      }
      if (isLost) {
        lost.add(workers);
      }
    }
    return lost;
  }

  /** Units of half a mean plus an exponential time of the other half. */
  private static double time(double mean, int units, Random random) {
    double sum = 0;
    for (int unit = 0; unit < units; unit++) {
      sum += mean / 2 * (1 + random.nextExponential());
    }
    return sum;
  }
}
