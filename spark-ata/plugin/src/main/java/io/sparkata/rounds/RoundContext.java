package io.sparkata.rounds;

import io.sparkata.cluster.Cluster;
import io.sparkata.cluster.Counters;
import io.sparkata.cluster.ExecutorDemand;
import io.sparkata.memory.LeftOutExecutors;
import io.sparkata.memory.Speeds;

/**
 * What a training's rounds share with the application.
 *
 * @param demand asks for executors; closed with the rounds
 * @param speeds and {@code leftOut}: what outlives the training
 * @param log of the training
 */
public record RoundContext(
    Cluster cluster,
    ExecutorDemand demand,
    Speeds speeds,
    LeftOutExecutors leftOut,
    Counters counters,
    RoundLog log) {}
