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
 * Adds the partial sums of a round's tasks: by {@code treeAggregate}, where a tree of one level is
 * a plain job whose results the driver adds as they come.
 *
 * <p>That is what Spark's own {@code treeAggregate} of depth 1 does, but Spark goes through the
 * byte code of every closure on its way, which takes longer than the rest of an empty job on the
 * driver; classes of our own it lets pass. Measured: docs/design-decisions.md, "A tree of one
 * level".
 */
final class Aggregation {
  /**
   * Up to so many numbers in all, the driver adds faster than a further stage runs: measured, see
   * docs/design-decisions.md, "Depth of treeAggregate".
   */
  private static final long LARGEST_FLAT = 8L << 20;

  private Aggregation() {}

  /**
   * The sum over all tasks of a round. Driver only; blocks until the job ends.
   *
   * @param tasks their number
   * @param weights numbers in each task's gradient
   */
  static RoundSum sum(SparkContext context, RoundRdd round, int tasks, int weights) {
    SparkConf conf = SparkEnv.get().conf(); // the context's getConf copies all of it
    long most = conf.getSizeAsBytes("spark.driver.maxResultSize", "1g");
    int depth = depth(tasks, weights, most);
    if (depth > 1) {
      return round.treeAggregate(
          new RoundSum(), new Merge(), new Merge(), depth, round.elementClassTag());
    }
    Total total = new Total();
    context.runJob(round, new Only(), total, round.elementClassTag());
    return total.sum;
  }

  /**
   * Depth for {@code tasks} partial gradients of {@code weights} numbers each.
   *
   * @param mostBytes of a job's results that Spark takes, 0 for any; a tree of one level keeps to
   *     half of it, since results are a little larger than their numbers
   */
  static int depth(int tasks, int weights, long mostBytes) {
    long numbers = (long) tasks * weights;
    boolean isWithin = mostBytes <= 0 || numbers <= mostBytes / 2 / Double.BYTES;
    return numbers <= LARGEST_FLAT && isWithin ? 1 : 2;
  }

  /** The one sum of a task. */
  private static final class Only
      extends AbstractFunction2<TaskContext, Iterator<RoundSum>, RoundSum> implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public RoundSum apply(TaskContext context, Iterator<RoundSum> sums) {
      return sums.next();
    }
  }

  private static final class Merge extends AbstractFunction2<RoundSum, RoundSum, RoundSum>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public RoundSum apply(RoundSum left, RoundSum right) {
      return left.merge(right);
    }
  }

  /** On the driver; Spark hands it one result after the other. */
  private static final class Total extends AbstractFunction2<Object, RoundSum, BoxedUnit> {
    private final RoundSum sum = new RoundSum();

    @Override
    public BoxedUnit apply(Object task, RoundSum ofTask) {
      sum.merge(ofTask);
      return BoxedUnit.UNIT;
    }
  }
}
