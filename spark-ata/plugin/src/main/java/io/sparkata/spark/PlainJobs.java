package io.sparkata.spark;

import java.io.Serializable;
import java.util.function.Consumer;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.Function2;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * A job whose results the driver takes as they arrive.
 *
 * <p>Spark's own actions scan the bytecode of each of their closures, which takes longer on the
 * driver than the rest of an empty job. Spark does not scan classes. Measured:
 * docs/decisions/08-summing.md.
 */
public final class PlainJobs {
  private PlainJobs() {}

  /**
   * Runs a job on all partitions, each of one element; blocks until it ends.
   *
   * @param user receives one element after the other, in order of arrival
   */
  public static <T> void run(RDD<T> rdd, Consumer<T> user) {
    Function2<Object, T, BoxedUnit> results =
        (task, result) -> {
          user.accept(result);
          return BoxedUnit.UNIT;
        };
    rdd.context().runJob(rdd, new Only<T>(), results, rdd.elementClassTag());
  }

  private static final class Only<T> extends AbstractFunction2<TaskContext, Iterator<T>, T>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public T apply(TaskContext context, Iterator<T> results) {
      return results.next();
    }
  }
}
