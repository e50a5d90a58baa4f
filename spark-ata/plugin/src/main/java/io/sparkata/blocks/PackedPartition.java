package io.sparkata.blocks;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** What a packing task returns to the driver about one partition. */
public final class PackedPartition implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int partition;
  private final BlockRef[] blocks;
  private final long bytesRefused;
  private final String layout;
  private final String executorId;
  private final long nanos;

  PackedPartition(
      int partition,
      List<BlockRef> blocks,
      long bytesRefused,
      String layout,
      String executorId,
      long nanos) {
    this.partition = partition;
    this.blocks = blocks.toArray(new BlockRef[0]);
    this.bytesRefused = bytesRefused;
    this.layout = layout;
    this.executorId = executorId;
    this.nanos = nanos;
  }

  /** The partition of the caller's RDD. */
  public int partition() {
    return partition;
  }

  /** Its blocks in row order; incomplete if a block was refused. */
  public List<BlockRef> blocks() {
    return List.of(blocks);
  }

  long rows() {
    return Arrays.stream(blocks).mapToLong(BlockRef::rows).sum();
  }

  /** The executor that packed it. */
  String executorId() {
    return executorId;
  }

  /** How long packing took, with what computes the rows. */
  long nanos() {
    return nanos;
  }

  /** The layout of its first block; empty if it has none. */
  String layout() {
    return layout;
  }

  /** Size of the first block that did not fit into free storage memory; 0 if all are stored. */
  long bytesRefused() {
    return bytesRefused;
  }
}
