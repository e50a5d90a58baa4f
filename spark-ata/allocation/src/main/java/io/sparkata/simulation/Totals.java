package io.sparkata.simulation;

/**
 * Sums over all rounds of a run, in the law's unit of time.
 *
 * @param rounds the number of rounds
 * @param runtime sum of the times of the rounds
 * @param workerTime charged time: that of all units, or under greedy of all workers for the whole
 *     runtime
 * @param regret the paper's proxy regret, sum of l(a_k, mu) - l(a*, mu) with the means of the round
 *     and without fixed costs; NaN under greedy
 */
public record Totals(long rounds, double runtime, double workerTime, double regret) {}
