package io.sparkata.rounds.job;

import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.Summand;
import io.sparkata.spark.PlainJobs;
import java.io.Serializable;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import scala.runtime.AbstractFunction2;

/**
 * Adds up the partial sums of a round's tasks: by a plain job whose results the driver adds as they
 * arrive, or by {@code treeAggregate} of depth 2 if the sums are large.
 */
final class Aggregation {
  /**
   * Up to this many numbers in all, the driver adds faster than a further stage runs. Measured:
   * docs/decisions/08-summing.md.
   */
  private static final long LARGEST_FLAT = 8L << 20;

  private Aggregation() {}

  /**
   * The sum over all tasks of a round. Driver only; blocks until the job ends.
   *
   * @param depth above 1 for a tree
   */
  static <S> RoundResult<S> sum(RoundRdd<S> round, Summand<S> summand, int depth) {
    RoundResult<S> zero = new RoundResult<>(summand.zero());
    if (depth > 1) {
      Merge<S> merge = new Merge<>(summand);
      return round.treeAggregate(zero, merge, merge, depth, round.elementClassTag());
    }
    PlainJobs.run(round, ofTask -> zero.merge(ofTask, summand));
    return zero;
  }

  /** Depth for {@code tasks} partial sums of {@code size} numbers each. Driver only. */
  static int depth(int tasks, int size) {
    SparkConf conf = SparkEnv.get().conf(); // the context's getConf copies all of it
    return depth(tasks, size, conf.getSizeAsBytes("spark.driver.maxResultSize", "1g"));
  }

  /**
   * The same.
   *
   * @param mostBytes of a job's results that Spark accepts, 0 for any; depth 1 uses at most half of
   *     it, because results are a little larger than their numbers
   */
  static int depth(int tasks, int size, long mostBytes) {
    long numbers = (long) tasks * size;
    boolean isWithin = mostBytes <= 0 || numbers <= mostBytes / 2 / Double.BYTES;
    return numbers <= LARGEST_FLAT && isWithin ? 1 : 2;
  }

  private static final class Merge<S>
      extends AbstractFunction2<RoundResult<S>, RoundResult<S>, RoundResult<S>>
      implements Serializable {
    private static final long serialVersionUID = 1L;
    private final Summand<S> summand;

    Merge(Summand<S> summand) {
      this.summand = summand;
    }

    @Override
    public RoundResult<S> apply(RoundResult<S> left, RoundResult<S> right) {
      return left.merge(right, summand);
    }
  }
}
