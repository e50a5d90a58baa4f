package io.sparkata.rounds.crew;

import io.sparkata.blocks.BlockRef;
import io.sparkata.rounds.Summand;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;

/**
 * The sum of rows that micro-tasks draw, each times the weight, together with which rows they were.
 *
 * @param weight another one in each round: what was summed for another round shows
 */
record DrawnRows(long weight) implements Summand<DrawnRows.Sum> {

  /** A sum and its micro-tasks. */
  record Sum(long value, List<Part> parts) {}

  /**
   * A micro-task.
   *
   * @param pull the driver's number of the round
   * @param number of the micro-task within the executor's round
   * @param blocks that the executor draws from
   * @param unit rows of a micro-task
   * @param rows drawn, as positions in the blocks
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Part(
      long pull, String executorId, int number, List<BlockRef> blocks, int unit, long[] rows) {}

  /** The sum of one micro-task. */
  Sum of(long rows, Part part) {
    return new Sum(weight * rows, List.of(part));
  }

  @Override
  public DrawnRows lasting() {
    return this;
  }

  @Override
  public Sum zero() {
    return new Sum(0, new ArrayList<>());
  }

  @Override
  public Sum merge(Sum left, Sum right) {
    left.parts.addAll(right.parts);
    return new Sum(left.value + right.value, left.parts);
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public Partial<Sum> begin(TaskContext task) {
    throw new UnsupportedOperationException("executors are simulated");
  }
}
