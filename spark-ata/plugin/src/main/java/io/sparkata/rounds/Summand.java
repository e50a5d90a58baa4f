package io.sparkata.rounds;

import io.sparkata.blocks.StoredBlock;
import java.io.Serializable;
import org.apache.spark.TaskContext;

/**
 * What a round sums. Serialised to executors.
 *
 * @param <S> the sum
 */
public interface Summand<S> extends Serializable {

  /** The sum of nothing, a new object. */
  S zero();

  /** The sum of both, which must not be used after. */
  S merge(S left, S right);

  /** About how many numbers a sum has, which decides how sums are added up. */
  int size();

  /** The same for tasks that may still sum when the round has ended, and its caller cleaned up. */
  Summand<S> lasting();

  /** Starts the sum of one task, on its executor and thread. */
  Partial<S> begin(TaskContext task);

  /** One task's partial sum. */
  interface Partial<S> {

    /**
     * Adds rows.
     *
     * @param block the rows
     * @param rows positions of the rows within the block, strictly ascending; null for rows {@code
     *     first .. first + count}
     * @param first the first row where {@code rows} is null
     * @param count number of rows
     */
    void add(StoredBlock block, int[] rows, int first, int count);

    /** The sum of all rows added. May compute what {@link #add} has put off. */
    S sum();
  }
}
