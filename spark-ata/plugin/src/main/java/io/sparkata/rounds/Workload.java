package io.sparkata.rounds;

/**
 * What stays the same in all rounds of a training.
 *
 * @param kernel the kind of kernel and layout, such as {@code logistic dense}
 * @param fraction expected share of the rows in a round
 * @param rounds their number
 * @param weights of the model
 */
public record Workload(String kernel, double fraction, int rounds, int weights) {}
