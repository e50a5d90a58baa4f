package io.sparkata.events;

import java.util.List;

/**
 * Rounds of one training that followed each other, in sums. The lists have one value for each
 * executor. Times are wall time.
 *
 * @param first the number of the first one, from 1
 * @param count how many
 * @param byMessage how many of them were no Spark jobs
 * @param micros from their planning to their sums
 * @param longestMicros what the longest tasks took, one of each round
 * @param executors ids
 * @param rows sampled rows
 * @param kernelMicros of the longest kernel of each round
 * @param fetchMicros for which tasks waited
 * @param movedBytes fetched from other executors, also while waiting for a round's end
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Rounds(
    int first,
    int count,
    int byMessage,
    long micros,
    long longestMicros,
    List<String> executors,
    long[] rows,
    long[] kernelMicros,
    long[] fetchMicros,
    long[] movedBytes) {}
