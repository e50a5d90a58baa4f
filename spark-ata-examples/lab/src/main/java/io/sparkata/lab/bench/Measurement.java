package io.sparkata.lab.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * The figures of one side on one workload and cluster. Times are seconds.
 *
 * @param caseName the case of the command line
 * @param speeds relative speeds of the cluster's workers
 * @param medianSecondsPerIteration from the tenth iteration on; the median over the repetitions
 * @param ratioToStock {@code mllib}'s seconds per iteration divided by this side's: above 1 is
 *     faster than stock. The median over the repetitions, each with {@code mllib}'s turn next to
 *     this side's, except for sides in a SparkContext of their own. NaN without {@code mllib}
 * @param callSeconds the whole training, packing included
 * @param executorSeconds number of executors held, times {@code callSeconds}
 * @param workerSeconds run time of all tasks
 * @param efficiency rows of a round divided by (the sum of the calibrated rows per second times the
 *     median seconds per iteration): the median over the turns whose calibrations agree, or over
 *     all turns if none do. NaN if not measured
 * @param calibrationDrift the largest relative difference, over these turns, of an executor's speed
 *     in our kernel before and after, in the case drift of all executors' together; NaN where the
 *     side's own application was not calibrated, or a calibration lacks an executor
 * @param stolenShare share of the requested CPU time that the hypervisor gave to others; NaN if
 *     unknown
 * @param memoryBytes the most storage memory in use, without the caller's rows
 * @param shares each executor's share of the samples from the tenth round on; empty for stock sides
 * @param speedShares each executor's share of the calibrated speeds
 * @param efficiencyByRound efficiency by round at the speeds of that round, in the case drift;
 *     empty in other cases
 * @param details figures that only this case measures, by name
 * @param weightDifference the largest difference from {@code mllib}'s weights; NaN if partitions
 *     differ
 */
record Measurement(
    @JsonProperty("case") String caseName,
    String side,
    String speeds,
    String dataset,
    String size,
    double fraction,
    int iterations,
    int repetitions,
    double medianSecondsPerIteration,
    double ratioToStock,
    double callSeconds,
    double executorSeconds,
    double workerSeconds,
    double efficiency,
    double calibrationDrift,
    double stolenShare,
    long memoryBytes,
    Map<String, Double> shares,
    Map<String, Double> speedShares,
    double finalLoss,
    double weightDifference,
    List<Double> efficiencyByRound,
    Map<String, Double> details) {

  /** Figures that rest on calibrations further apart than this say little. */
  static final double LARGEST_DRIFT = 0.1;

  /** Whether figures that rest on the calibrations can be trusted. */
  boolean calibrationsAgree() {
    return calibrationDrift <= LARGEST_DRIFT;
  }

  /**
   * The largest relative difference between an executor's share and its share of the speeds; NaN if
   * one is missing.
   */
  double shareError() {
    double largest = shares.isEmpty() || speedShares.isEmpty() ? Double.NaN : 0;
    for (Map.Entry<String, Double> speed : speedShares.entrySet()) {
      double share = shares.getOrDefault(speed.getKey(), 0.0);
      largest = Math.max(largest, Math.abs(share / speed.getValue() - 1));
    }
    return largest;
  }
}
