package io.sparkata.rounds;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import java.util.List;
import org.apache.spark.Partition;

/** One task of a round: the executor it is aimed at, what it reads there and what it drops. */
final class RoundPartition implements Partition {
  private static final long serialVersionUID = 1L;

  private final int index;
  private final String executorId;
  private final String host;
  private final List<Span> spans;
  private final List<BlockRef> stale;

  /**
   * @param spans and {@code stale}: lists that can be serialised and belong to the task from then
   *     on
   */
  RoundPartition(
      int index, String executorId, String host, List<Span> spans, List<BlockRef> stale) {
    this.index = index;
    this.executorId = executorId;
    this.host = host;
    this.spans = spans;
    this.stale = stale;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public int hashCode() {
    return index;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RoundPartition partition && partition.index == index;
  }

  String executorId() {
    return executorId;
  }

  /** Spark's form of "this executor, please". */
  String location() {
    return "executor_" + host + "_" + executorId;
  }

  List<Span> spans() {
    return spans;
  }

  /** Replicas on that executor that no plan has used for a while. */
  List<BlockRef> stale() {
    return stale;
  }

  long rows() {
    long rows = 0;
    for (Span span : spans) {
      rows += span.rows();
    }
    return rows;
  }
}
