package io.sparkata.cluster;

/**
 * One task's time.
 *
 * @param executorId the executor that ran it
 * @param slots tasks that it runs at once
 * @param rows sampled rows that it worked on
 * @param nanos wall nanoseconds of its kernel; a lower bound if it was killed
 * @param overheadNanos what the task took besides its kernel and fetching blocks, from its launch
 *     on the driver to its end there, at least 0; 0 if it was killed, NaN of a trial
 * @param isCompleted false for a killed attempt: the time is a lower bound
 * @param isContended whether the executor served blocks to others meanwhile, so that its time says
 *     little about its speed
 */
public record Observation(
    String executorId,
    int slots,
    double rows,
    double nanos,
    double overheadNanos,
    boolean isCompleted,
    boolean isContended) {}
