/**
 * The rounds of a training: the loop, its plan, the proof of coverage and what it learns. {@code
 * rounds.job} and {@code rounds.crew} run a round.
 */
package io.sparkata.rounds;
