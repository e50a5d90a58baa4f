package io.sparkata.events;

import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * The stages so far that have read cached partitions together, from the third on.
 *
 * @param rdd id of the oldest RDD that they read
 * @param time in milliseconds since 1970
 * @param name of that RDD, and the caller's line
 * @param isBalanced whether partitions move; else {@code savedSeconds} are what that would save
 * @param stages that were counted
 * @param seconds of these stages
 * @param savedSeconds of them
 * @param movedPartitions copied to another executor
 * @param movedBytes of these
 */
public record CachedStages(
    int rdd,
    long time,
    String name,
    boolean isBalanced,
    int stages,
    double seconds,
    double savedSeconds,
    int movedPartitions,
    long movedBytes)
    implements SparkListenerEvent {}
