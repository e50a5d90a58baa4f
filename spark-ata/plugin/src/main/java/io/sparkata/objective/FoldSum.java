package io.sparkata.objective;

import io.sparkata.blocks.ElementBlock;
import io.sparkata.blocks.StoredBlock;
import io.sparkata.rounds.Summand;
import io.sparkata.spark.Serialized;
import org.apache.spark.TaskContext;
import scala.Function2;

/**
 * A sum over elements by the caller's own functions. Serialised to executors, to each task anew.
 *
 * @param nothing the caller's zero
 * @param size about how many numbers a sum has
 */
record FoldSum(
    Object nothing,
    Function2<Object, Object, Object> add,
    Function2<Object, Object, Object> merge,
    int size)
    implements Summand<Object> {
  /** The most bytes of a lasting one: it travels in a message. */
  private static final int MOST_BYTES = 32 << 20;

  /** The caller destroys the broadcast of its coefficients. */
  @Override
  public FoldSum lasting() {
    return Serialized.copyWithBroadcasts(this, MOST_BYTES);
  }

  @Override
  public Object zero() {
    return Serialized.copy(nothing);
  }

  @Override
  public Object merge(Object left, Object right) {
    return merge.apply(left, right);
  }

  /** The task's own copy of the zero, which came with it, as in Spark's {@code treeAggregate}. */
  @Override
  public Partial<Object> begin(TaskContext task) {
    Broadcasts.fetch(nothing);
    Broadcasts.fetch(add);
    return new OfTask(nothing, add);
  }

  private static final class OfTask implements Partial<Object> {
    private final Function2<Object, Object, Object> add;
    private Object sum;

    OfTask(Object zero, Function2<Object, Object, Object> add) {
      this.sum = zero;
      this.add = add;
    }

    @Override
    public void add(StoredBlock block, int[] rows, int first, int count) {
      ElementBlock elements = (ElementBlock) block;
      for (int row = first; row < first + count; row++) {
        Object element = elements.element(row);
        if (!BlockFastPath.add(sum, element)) {
          ReusedBuffer.forget(sum);
          sum = add.apply(sum, element);
        }
      }
    }

    @Override
    public Object sum() {
      return sum;
    }
  }
}
