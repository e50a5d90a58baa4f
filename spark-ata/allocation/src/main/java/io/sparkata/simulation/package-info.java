/**
 * A seeded discrete-event simulator of the rounds of the ATA paper (arXiv 2502.00775) and of
 * clusters that drift. It runs the scheduler's allocation policies and the paper's baselines. Plain
 * Java without Spark or a library.
 *
 * <p>A {@link io.sparkata.simulation.TimeLaw} gives the times of units. A {@link
 * io.sparkata.simulation.Scenario} gives the workers of each round and fixed costs. A {@link
 * io.sparkata.simulation.Contender} allocates. {@link io.sparkata.simulation.Simulation} runs them.
 */
package io.sparkata.simulation;
