package io.sparkata.report;

/**
 * What one executor did in one round.
 *
 * @param rows sampled rows that it summed; 0 if it had none
 * @param kernelSeconds the longest kernel time of its tasks
 * @param fetchSeconds the longest time that one of its tasks fetched blocks
 * @param movedBytes that it fetched in the round, or has fetched in the wait before it
 */
public record ExecutorShare(
    String executor,
    String host,
    long rows,
    double kernelSeconds,
    double fetchSeconds,
    long movedBytes) {}
