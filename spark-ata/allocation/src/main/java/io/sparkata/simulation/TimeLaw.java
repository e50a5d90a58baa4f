package io.sparkata.simulation;

/**
 * The time of one unit of work on each worker. Given the round, times of different units are
 * independent. The unit of time is the law's own.
 *
 * <p>Workers are numbered from 0, rounds from 1. Immutable, so that clocks may share a law.
 */
public interface TimeLaw {

  /** The name in results, such as {@code linear}. */
  String name();

  /** The number of workers. */
  int workers();

  /** The name of a worker for policies: {@code w1}, {@code w2} and so on. */
  default String worker(int worker) {
    return "w" + (worker + 1);
  }

  /** The distribution of the time of one unit; its mean is the paper's mu_i. */
  Distribution of(int worker, long round);

  /** The mean that fixed allocations use: by default that of the first round. */
  default double baseMean(int worker) {
    return of(worker, 1).mean();
  }
}
