package io.sparkata.tools.demo;

import io.sparkata.tools.Rounds;
import java.util.List;
import java.util.Map;

/**
 * What one side did in its time budget.
 *
 * @param callSeconds the whole call, packing included
 * @param rounds the samples of each executor by round
 * @param workerSeconds executor run time of all tasks of the call
 * @param updates of the weights
 * @param roundEnds seconds from the call to the end of each round
 * @param losses one per round, before the round's update
 * @param weightDifference from mllib's weights after equally many updates
 * @param comparedUpdates after how many
 */
record QuickRun(
    DemoSide side,
    double callSeconds,
    Rounds rounds,
    double workerSeconds,
    int updates,
    List<Double> roundEnds,
    List<Double> losses,
    double weightDifference,
    int comparedUpdates) {
  /** Rounding, which depends on the order of the sums, decides nothing. */
  private static final double LOSS_TOLERANCE = 1e-9;

  /** The first round of the later half: by then a policy has seen some. */
  int settled() {
    return roundEnds.size() / 2 + 1;
  }

  /** Median of the later half of the rounds. */
  double secondsPerIteration() {
    return BudgetUpdater.medianSeconds(roundEnds, settled());
  }

  /** Mean per round of the later half, by executor id. */
  Map<String, Double> samplesPerExecutor() {
    return rounds.meanFrom(settled());
  }

  double finalLoss() {
    return losses.get(losses.size() - 1);
  }

  double workerSecondsPerRound() {
    return workerSeconds / losses.size();
  }

  /** Seconds from the call until a loss of at most {@code target} was seen; NaN for never. */
  double secondsToLoss(double target) {
    for (int i = 0; i < Math.min(losses.size(), roundEnds.size()); i++) {
      if (losses.get(i) <= target + Math.abs(target) * LOSS_TOLERANCE) {
        return roundEnds.get(i);
      }
    }
    return Double.NaN;
  }

  /**
   * The figures of the JSON.
   *
   * @param speeds samples per second, by executor id
   */
  DemoRun figures(Map<String, Double> speeds) {
    return new DemoRun(
        side.id(),
        secondsPerIteration(),
        callSeconds,
        rounds.packSeconds(),
        samplesPerExecutor(),
        speeds,
        workerSeconds,
        finalLoss(),
        weightDifference);
  }
}
