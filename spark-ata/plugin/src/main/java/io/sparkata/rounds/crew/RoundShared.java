package io.sparkata.rounds.crew;

import io.sparkata.blocks.RowSelection;
import io.sparkata.rounds.Summand;
import io.sparkata.spark.Serialized;
import java.io.Serializable;

/**
 * What all tasks of a round have in common.
 *
 * @param summand what is summed
 * @param rows over which rows
 */
record RoundShared<S>(Summand<S> summand, RowSelection rows) implements Serializable {
  @SuppressWarnings("unchecked") // the driver knows the sum
  static <S> RoundShared<S> of(byte[] bytes) {
    return (RoundShared<S>) Serialized.work(bytes);
  }
}
