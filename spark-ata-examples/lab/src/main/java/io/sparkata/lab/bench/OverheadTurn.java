package io.sparkata.lab.bench;

/**
 * One turn of a side in the case overhead. Times are milliseconds per round.
 *
 * @param p90Millis what nine in ten rounds take at most
 * @param driverCpuMillis CPU time of the driver's JVM
 * @param executorCpuMillis CPU time of an executor's JVM, the mean over the executors
 * @param residentShare of Spark ATA's rounds, those that were no jobs; NaN if it had none
 * @param stolenShare of the CPU time wanted meanwhile, what the hypervisor gave to others; NaN if
 *     unknown
 */
record OverheadTurn(
    double medianMillis,
    double p90Millis,
    double driverCpuMillis,
    double executorCpuMillis,
    double residentShare,
    double stolenShare) {}
