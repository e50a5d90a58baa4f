package io.sparkata.lab.bench;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The figures of one side of the case overhead with one number of weights on one cluster: medians
 * over the turns. What was not measured is NaN.
 *
 * @param runner what runs a round: {@code mllib}, {@code stage}, {@code resident}, or {@code job}
 *     for plain jobs
 * @param speeds relative speeds of the cluster's workers
 * @param iterations the least number of rounds, over all turns
 * @param repetitions turns
 * @param medianSecondsPerIteration the median time of a round
 * @param ratioToStock {@code mllib}'s time of a round divided by this side's
 * @param medianMillis the median time of a round, in milliseconds
 * @param p90Millis what nine in ten rounds take at most, in milliseconds
 * @param driverCpuMillis CPU time of the driver's JVM per round
 * @param executorCpuMillis CPU time of an executor's JVM per round, the mean over the executors
 * @param residentShare of Spark ATA's rounds, those that were no jobs; NaN if it had none
 * @param stolenShare share of the requested CPU time that the hypervisor gave to others
 */
record OverheadMeasurement(
    @JsonProperty("case") String caseName,
    String side,
    String runner,
    String speeds,
    int executors,
    int weights,
    String dataset,
    int iterations,
    int repetitions,
    double medianSecondsPerIteration,
    double ratioToStock,
    double medianMillis,
    double p90Millis,
    double driverCpuMillis,
    double executorCpuMillis,
    double residentShare,
    double stolenShare) {}
