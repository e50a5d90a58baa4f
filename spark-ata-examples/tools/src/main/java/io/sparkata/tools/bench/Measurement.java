package io.sparkata.tools.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * One side's figures on one workload and cluster; times in seconds.
 *
 * @param caseName the case of the command line
 * @param speeds of the cluster's workers, relative
 * @param medianSecondsPerIteration from the tenth iteration on; the median over the repetitions
 * @param ratioToStock {@code mllib}'s such seconds over this side's, the median of the repetitions'
 *     ratios: above 1 is faster than stock; of turns beside this side's, but for sides in a context
 *     of their own; NaN without {@code mllib}
 * @param callSeconds the whole training, packing included
 * @param executorSeconds executors held times {@code callSeconds}
 * @param workerSeconds run time of all tasks
 * @param efficiency rows of a round over (sum of the calibrated rows per second times the median
 *     seconds per iteration); the median of the turns whose calibrations agree, or of all if none
 *     do; NaN where not measured
 * @param calibrationDrift the largest relative difference, over these turns, of an executor's speed
 *     in our kernel before and after, in the case drift of all executors' together; NaN where the
 *     side's own application was not calibrated, or a calibration lacks an executor
 * @param stolenShare of the CPU time wanted, what the hypervisor gave to others; NaN if unknown
 * @param memoryBytes most storage memory in use, over what the caller's rows take
 * @param shares of the samples by executor from the tenth round on; empty for stock sides
 * @param speedShares of the calibrated speeds by executor
 * @param efficiencyByRound of the case drift, by the speeds that hold then; empty in others
 * @param details what only this case measures, by name
 * @param weightDifference largest from {@code mllib}'s weights; NaN where partitions differ
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

  /** With calibrations further apart, what rests on them says little. */
  static final double LARGEST_DRIFT = 0.1;

  /** Of rounds alone, where no call, speed or share was measured. */
  static Measurement ofRounds(
      String caseName,
      String side,
      String speeds,
      Workload workload,
      int iterations,
      double seconds,
      double ratioToStock) {
    return new Measurement(
        caseName,
        side,
        speeds,
        workload.dataset(),
        workload.size(),
        workload.fraction(),
        iterations,
        /* repetitions= */ 1,
        seconds,
        ratioToStock,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        Double.NaN,
        /* memoryBytes= */ 0,
        Map.of(),
        Map.of(),
        Double.NaN,
        Double.NaN,
        List.of(),
        Map.of());
  }

  /** Whether what rests on the calibrations can be trusted. */
  boolean calibrationsAgree() {
    return calibrationDrift <= LARGEST_DRIFT;
  }

  /** The largest relative error of an executor's share against its speed's; NaN without either. */
  double shareError() {
    double largest = shares.isEmpty() || speedShares.isEmpty() ? Double.NaN : 0;
    for (Map.Entry<String, Double> speed : speedShares.entrySet()) {
      double share = shares.getOrDefault(speed.getKey(), 0.0);
      largest = Math.max(largest, Math.abs(share / speed.getValue() - 1));
    }
    return largest;
  }
}
