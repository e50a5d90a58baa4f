package io.sparkata.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.ui.SpeedChanges.Change;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * How often a change is said of noisy kernels. The broken value is that of a rule without the
 * scatter: off by a factor of 1.5 from the median of the last three points.
 */
class SpeedChangesGateTest {
  private static final int SEEDS = 100;
  private static final int POINTS = 150;
  private static final int EXECUTORS = 3;
  private static final int SLOW_FROM = 75;

  /**
   * Speeds of one seed; one in twenty is up to four times slower.
   *
   * @param scatter standard deviation of the logarithms
   * @param memory correlation of neighboring points
   * @param slowness of executor 0 from point 75 on
   */
  private static SpeedChanges noisy(long seed, double scatter, double memory, double slowness) {
    Random random = new Random(seed);
    double[][] speeds = new double[POINTS][EXECUTORS];
    double[] noise = new double[EXECUTORS];
    for (int p = 0; p < POINTS; p++) {
      for (int i = 0; i < EXECUTORS; i++) {
        noise[i] = memory * noise[i] + Math.sqrt(1 - memory * memory) * random.nextGaussian();
        double pause = random.nextDouble() < 0.05 ? 1 + 3 * random.nextDouble() : 1;
        double slow = i == 0 && p >= SLOW_FROM ? slowness : 1;
        speeds[p][i] = 1e6 * Math.exp(scatter * noise[i]) / pause / slow;
      }
    }
    return new SpeedChanges(speeds, new double[] {1e6 / slowness, 1e6, 1e6});
  }

  private static int falseAlarms(double scatter, double memory) {
    int count = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      SpeedChanges changes = noisy(seed, scatter, memory, /* slowness= */ 1);
      for (int i = 0; i < EXECUTORS; i++) {
        count += changes.of(i).isPresent() ? 1 : 0;
      }
    }
    return count;
  }

  /** How many of 100 are found within five points and 30 % of the factor. */
  private static int found(double scatter, double slowness) {
    int count = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Optional<Change> change = noisy(seed, scatter, /* memory= */ 0.5, slowness).of(0);
      count +=
          change
                  .filter(it -> Math.abs(it.point() - SLOW_FROM) <= 5)
                  .filter(it -> Math.abs(it.factor() * slowness - 1) < 0.3)
                  .isPresent()
              ? 1
              : 0;
    }
    return count;
  }

  @Test
  void of_evenExecutors_saysNoChange() {
    // of 300 executors: healthy, broken, bar
    assertThat(falseAlarms(0.1, 0.5)).isLessThanOrEqualTo(0); // 0, 5, 0
    assertThat(falseAlarms(0.3, 0.5)).isLessThanOrEqualTo(0); // 0, 66, 0
    assertThat(falseAlarms(0.6, 0.5)).isLessThanOrEqualTo(0); // 0, 138, 0
    assertThat(falseAlarms(0.6, 0.8)).isLessThanOrEqualTo(9); // 4, 188, 9
  }

  @Test
  void of_executorThatSlows_saysIt() {
    // of 100 executors: healthy, broken, bar
    assertThat(found(0.1, 2)).isGreaterThanOrEqualTo(95); // 99, 97, 95
    assertThat(found(0.3, 4)).isGreaterThanOrEqualTo(55); // 65, 10, 55
  }

  /** The pace of two executors is that of the one that goes on as before. */
  @Test
  void of_twoExecutors_saysTheOneThatChanged() {
    double[][] speeds = new double[40][];
    for (int p = 0; p < speeds.length; p++) {
      double compiled = p < 2 ? 0.1 : 1;
      speeds[p] = new double[] {compiled * (p < 15 ? 8 : 2), compiled * 3};
    }
    SpeedChanges changes = new SpeedChanges(speeds, new double[] {2, 3});

    assertThat(changes.of(0).orElseThrow().point()).isEqualTo(15);
    assertThat(changes.of(0).orElseThrow().factor()).isCloseTo(0.25, within(1e-9));
    assertThat(changes.of(1)).isEmpty();
  }

  @Test
  void of_executorThatWasSlowForAWhile_saysTheLastChangeOnly() {
    assertThat(slowFor(7).of(0)).isEmpty();
    assertThat(slowFor(30).of(0).orElseThrow()).isEqualTo(new Change(50, 4));
  }

  /** Executor 0 is slow for some points before the 50th. */
  private static SpeedChanges slowFor(int points) {
    double[][] speeds = new double[100][];
    for (int p = 0; p < speeds.length; p++) {
      boolean isSlow = p < 50 && p >= 50 - points;
      speeds[p] = new double[] {isSlow ? 1 : 4, 3, 3};
    }
    return new SpeedChanges(speeds, new double[] {4, 3, 3});
  }
}
