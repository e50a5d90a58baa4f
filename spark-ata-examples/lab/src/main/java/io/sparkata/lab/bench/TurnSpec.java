package io.sparkata.lab.bench;

/**
 * What a {@link TurnApplication} does, as its one argument in JSON. Knows no Spark.
 *
 * @param isCold whether the side trains without a warm-up, and caches its rows within its call, as
 *     a user who trains once
 * @param data the table of flights, or the folder of all real data
 * @param lift a shell command that lifts the CPU shares; null where nothing holds the executors
 * @param hold one that sets them again
 * @param throttle one that takes one executor's part of its share as its last argument; null for no
 *     slowdown
 * @param out the file of the turn
 */
record TurnSpec(
    String work,
    String side,
    boolean isCold,
    String speeds,
    int iterations,
    long seed,
    String data,
    String lift,
    String hold,
    String throttle,
    String out) {}
