package io.sparkata.objective;

import io.sparkata.blocks.ElementBlock;
import io.sparkata.blocks.StoredBlock;
import io.sparkata.rounds.Summand;
import io.sparkata.spark.Serialized;
import org.apache.spark.TaskContext;
import scala.Function2;

/**
 * A sum over elements by the caller's own functions. Serialised to executors, to each task anew.
 */
final class FoldSum implements Summand<Object> {
  private static final long serialVersionUID = 1L;

  private final Object zero;
  private final Function2<Object, Object, Object> add;
  private final Function2<Object, Object, Object> merge;
  private final int size;

  /**
   * @param size about how many numbers a sum has
   */
  FoldSum(
      Object zero,
      Function2<Object, Object, Object> add,
      Function2<Object, Object, Object> merge,
      int size) {
    this.zero = zero;
    this.add = add;
    this.merge = merge;
    this.size = size;
  }

  @Override
  public Object zero() {
    return Serialized.copy(zero);
  }

  @Override
  public Object merge(Object left, Object right) {
    return merge.apply(left, right);
  }

  @Override
  public int size() {
    return size;
  }

  /** The task's own copy of the zero, which came with it, as in Spark's {@code treeAggregate}. */
  @Override
  public Partial<Object> begin(TaskContext task) {
    Broadcasts.fetch(zero);
    Broadcasts.fetch(add);
    return new OfTask(zero, add);
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
