package io.sparkata.rounds.crew;

import io.sparkata.blocks.ElementBlock;
import io.sparkata.blocks.StoredBlock;
import io.sparkata.rounds.Summand;
import org.apache.spark.TaskContext;

/**
 * The sum of rows that are whole numbers, on a real executor.
 *
 * @param killedAt the block of a task, from 0, at which it is killed
 * @param failsAt the block of a task, from 0, at which the gradient throws
 */
record LongSum(int killedAt, int failsAt) implements Summand<Long> {
  static final int NEVER = -1;

  /** One that nothing disturbs. */
  static LongSum undisturbed() {
    return new LongSum(NEVER, NEVER);
  }

  @Override
  public LongSum lasting() {
    return this;
  }

  @Override
  public Long zero() {
    return 0L;
  }

  @Override
  public Long merge(Long left, Long right) {
    return left + right;
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public Partial<Long> begin(TaskContext task) {
    return new Partial<>() {
      private int blocks;
      private long sum;

      @Override
      public void add(StoredBlock block, int[] rows, int first, int count) {
        if (blocks == failsAt) {
          throw new ArithmeticException("the user's gradient");
        }
        for (int i = 0; i < count; i++) {
          sum += (Long) ((ElementBlock) block).element(rows == null ? first + i : rows[i]);
        }
        if (blocks++ == killedAt) {
          task.markInterrupted("a test");
        }
      }

      @Override
      public Long sum() {
        return sum;
      }
    };
  }
}
