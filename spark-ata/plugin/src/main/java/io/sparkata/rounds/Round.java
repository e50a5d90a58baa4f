package io.sparkata.rounds;

import io.sparkata.blocks.RowSelection;

/**
 * A round, ready to run.
 *
 * @param summand what is summed
 * @param rows over which rows
 * @param plan by which executors
 * @param left rounds of the training from this one on, as far as is known
 */
public record Round<S>(Summand<S> summand, RowSelection rows, RoundPlan plan, int left) {}
