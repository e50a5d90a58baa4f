package io.sparkata.rounds;

import io.sparkata.blocks.RowSelection;

/** Where the sums of a training's rounds come from. Driver only, one thread. */
public interface Rounds extends AutoCloseable {

  /**
   * The sum of a round.
   *
   * @param round from 1
   * @param rows over which rows
   * @throws io.sparkata.blocks.NoRoomException if lost blocks do not fit into free storage memory
   * @throws IllegalStateException if blocks or executors are lost in every attempt
   */
  <S> S sum(int round, Summand<S> summand, RowSelection rows);

  /** The most numbers that should travel with the tasks of a round, not by a broadcast. */
  int largestInline();

  /** Never throws for what executors still do. */
  @Override
  void close();
}
