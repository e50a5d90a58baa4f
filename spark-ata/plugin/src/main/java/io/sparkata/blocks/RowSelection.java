package io.sparkata.blocks;

import java.io.Serializable;

/**
 * Which rows a round sums: all, or those that {@code rdd.sample(false, fraction, seed)} takes.
 * Serialised to executors.
 *
 * @param fraction expected share of the rows, in (0, 1]; 1 takes all
 * @param seed of the sample
 */
public record RowSelection(double fraction, long seed) implements Serializable {

  /** Every row. */
  public static RowSelection all() {
    return new RowSelection(1, 0);
  }
}
