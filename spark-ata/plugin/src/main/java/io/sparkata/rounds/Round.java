package io.sparkata.rounds;

import io.sparkata.blocks.RowSelection;

/**
 * A round, ready to run.
 *
 * @param summand what is summed
 * @param rows over which rows
 * @param plan by which executors
 */
public record Round<S>(Summand<S> summand, RowSelection rows, RoundPlan plan) {}
