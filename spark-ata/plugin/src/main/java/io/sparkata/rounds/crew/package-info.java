/**
 * Rounds by message: tasks that stay on the executors' slots, get each round's work in a message
 * and answer with sums ({@code ResidentRunner}), or pull micro-tasks until a round has enough rows
 * ({@code GreedyRounds}). {@code CrewProtocol} has the driver's side without Spark and clock.
 */
package io.sparkata.rounds.crew;
