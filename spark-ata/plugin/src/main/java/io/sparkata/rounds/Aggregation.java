package io.sparkata.rounds;

import java.io.Serializable;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Adds up the partial sums of a round's tasks: by a plain job whose results the driver adds as they
 * arrive, or by {@code treeAggregate} of depth 2 if the sums are large.
 *
 * <p>Spark's own {@code treeAggregate} of depth 1 runs the same job, but scans the bytecode of each
 * of its closures, which takes longer on the driver than the rest of an empty job. Spark does not
 * scan classes. Measured: docs/decisions/08-summing.md.
 */
final class Aggregation {
  /**
   * Up to this many numbers in all, the driver adds faster than a further stage runs. Measured:
   * docs/decisions/08-summing.md.
   */
  private static final long LARGEST_FLAT = 8L << 20;

  private Aggregation() {}

  /** The sum over all tasks of a round. Driver only; blocks until the job ends. */
  static <S extends Mergeable<S>> RoundResult<S> sum(
      SparkContext context, RoundRdd<S> round, Summand<S> summand, int tasks) {
    SparkConf conf = SparkEnv.get().conf(); // the context's getConf copies all of it
    long most = conf.getSizeAsBytes("spark.driver.maxResultSize", "1g");
    int depth = depth(tasks, summand.size(), most);
    RoundResult<S> zero = new RoundResult<>(summand.zero());
    if (depth > 1) {
      Merge<S> merge = new Merge<>();
      return round.treeAggregate(zero, merge, merge, depth, round.elementClassTag());
    }
    Total<S> total = new Total<>(zero);
    context.runJob(round, new Only<S>(), total, round.elementClassTag());
    return total.sum;
  }

  /**
   * Depth for {@code tasks} partial sums of {@code size} numbers each.
   *
   * @param mostBytes of a job's results that Spark accepts, 0 for any; depth 1 uses at most half of
   *     it, because results are a little larger than their numbers
   */
  static int depth(int tasks, int size, long mostBytes) {
    long numbers = (long) tasks * size;
    boolean isWithin = mostBytes <= 0 || numbers <= mostBytes / 2 / Double.BYTES;
    return numbers <= LARGEST_FLAT && isWithin ? 1 : 2;
  }

  /** The one result of a task. */
  private static final class Only<S extends Mergeable<S>>
      extends AbstractFunction2<TaskContext, Iterator<RoundResult<S>>, RoundResult<S>>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public RoundResult<S> apply(TaskContext context, Iterator<RoundResult<S>> results) {
      return results.next();
    }
  }

  private static final class Merge<S extends Mergeable<S>>
      extends AbstractFunction2<RoundResult<S>, RoundResult<S>, RoundResult<S>>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public RoundResult<S> apply(RoundResult<S> left, RoundResult<S> right) {
      return left.merge(right);
    }
  }

  /** Adds the results on the driver; Spark passes one after the other. */
  private static final class Total<S extends Mergeable<S>>
      extends AbstractFunction2<Object, RoundResult<S>, BoxedUnit> {
    private final RoundResult<S> sum;

    Total(RoundResult<S> zero) {
      sum = zero;
    }

    @Override
    public BoxedUnit apply(Object task, RoundResult<S> ofTask) {
      sum.merge(ofTask);
      return BoxedUnit.UNIT;
    }
  }
}
