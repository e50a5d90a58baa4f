package io.sparkata.rounds;

import io.sparkata.blocks.PackedBlock;
import java.io.Serializable;
import org.apache.spark.TaskContext;

/**
 * What a round sums. Serialised to executors.
 *
 * @param <S> the sum
 */
public interface Summand<S extends Mergeable<S>> extends Serializable {

  /** The sum of nothing. */
  S zero();

  /** About how many numbers a sum has, which decides how sums are added up. */
  int size();

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
    void add(PackedBlock block, int[] rows, int first, int count);

    /** The sum of all rows added. */
    S sum();
  }
}
