package io.sparkata.rounds;

import org.apache.spark.TaskContext;

/**
 * The sum of a simulation's rows, which are whole numbers, each times the weight.
 *
 * @param weight another one in each round: what was summed for another round shows
 */
public record WholeSum(long weight) implements Summand<Long> {

  @Override
  public WholeSum lasting() {
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
    throw new UnsupportedOperationException("executors are simulated");
  }
}
