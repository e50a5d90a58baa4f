package io.sparkata.blocks;

import java.util.Collection;
import java.util.List;

/** The packed form of a training's rows: which blocks there are and who holds them. Driver only. */
public interface PackedRows extends AutoCloseable {

  /** All blocks in row order; others after {@link #repack}. */
  Blocks blocks();

  /** Per block the executors that have a copy, as the master knows now. */
  List<List<String>> holders();

  /**
   * Packs again what the given blocks belong to.
   *
   * @param lost positions in {@link #blocks}
   * @return the number of partitions packed
   * @throws NoRoomException if a block found no free storage memory
   */
  int repack(Collection<Integer> lost);

  /** Removes every copy everywhere. */
  @Override
  void close();
}
