/**
 * A seeded discrete-event simulator of the rounds of the ATA paper (arXiv 2502.00775) and of
 * clusters that drift: it drives the same allocation policies as the scheduler, beside the paper's
 * baselines. Plain Java without Spark or a library.
 *
 * <p>A {@link io.sparkata.simulation.TimeLaw} says how long a unit takes, a {@link
 * io.sparkata.simulation.Scenario} who is there and what else a round costs, a {@link
 * io.sparkata.simulation.Contender} who allocates; {@link io.sparkata.simulation.Simulation} runs
 * them.
 */
package io.sparkata.simulation;
