/** Rounds as Spark jobs: one job for each round, whose tasks read packed blocks where they are. */
package io.sparkata.rounds.job;
