package io.sparkata.blocks;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The packed form of a training's rows: its blocks and the executors that hold them. Driver only.
 */
public interface PackedRows extends AutoCloseable {

  /** All blocks in row order; {@link #repack} replaces them. */
  Blocks blocks();

  /** The executors that have a copy of each block, as Spark's master knows now. */
  List<List<String>> holders();

  /** Of each executor that packed any: the time that a row took one of its tasks. */
  Map<String, Double> packingNanosPerRow();

  /**
   * Packs the partitions of the given blocks again.
   *
   * @param lost positions in {@link #blocks}
   * @return the number of partitions packed
   * @throws NoRoomException if a block does not fit into free storage memory
   */
  int repack(Collection<Integer> lost);

  /** Removes all copies of all blocks. */
  @Override
  void close();
}
