package io.sparkata.rounds;

import org.apache.spark.Partition;

/** A partition as Spark knows it: equal to another one of its RDD by its index. */
public record IndexedPartition<T>(int index, T task) implements Partition {
  private static final long serialVersionUID = 1L;

  @Override
  public int hashCode() {
    return index;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexedPartition<?> partition && partition.index == index;
  }
}
