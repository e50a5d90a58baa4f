package io.sparkata.lab.bench;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The figures of one side on one case of {@code bench lbfgs} and one cluster: medians over the
 * repetitions. Times are seconds; what was not measured is NaN. A ratio is the median of the ratios
 * of the turns next to each other.
 *
 * @param caseName an id of {@link FitCase}
 * @param speeds relative speeds of the cluster's workers
 * @param estimator class of spark.ml
 * @param evaluations of the objective in a fit
 * @param medianSecondsPerEvaluation after the first three; NaN for more than one fit
 * @param cpuSecondsPerEvaluation median CPU time of an evaluation's tasks, after the first three
 * @param ratioToStock {@code stock}'s seconds per evaluation divided by this side's, or of the
 *     whole call for more than one fit: above 1 is faster than stock
 * @param adaptiveRatio this side's seconds divided by those of {@code adaptive}, in the same way
 * @param fitSeconds the whole call
 * @param fitRatioToStock {@code stock}'s whole call divided by this side's
 * @param executorSeconds number of executors held, times {@code fitSeconds}
 * @param workerSeconds run time of all tasks
 * @param storageBytes storage memory in use on all executors after the third evaluation
 * @param storageToStock that divided by {@code stock}'s
 * @param targetLoss {@code stock}'s last loss and a thousandth more
 * @param secondsToLoss from the call until a loss was at most that
 * @param rounds evaluations that Spark ATA answered
 * @param stolenShare share of the requested CPU time that the hypervisor gave to others
 */
record FitMeasurement(
    @JsonProperty("case") String caseName,
    String side,
    String speeds,
    String estimator,
    String dataset,
    int iterations,
    int repetitions,
    double evaluations,
    double medianSecondsPerEvaluation,
    double cpuSecondsPerEvaluation,
    double ratioToStock,
    double adaptiveRatio,
    double fitSeconds,
    double fitRatioToStock,
    double executorSeconds,
    double workerSeconds,
    double storageBytes,
    double storageToStock,
    double targetLoss,
    double secondsToLoss,
    double finalLoss,
    double rounds,
    double stolenShare) {}
