package io.sparkata.placement;

import io.sparkata.blocks.Blocks;
import io.sparkata.cluster.Members;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which executor holds which block, by positions in a round's members and blocks. Built once per
 * round and queried many times. The copies of all blocks are numbered from 0, block by block.
 * Immutable. Driver only.
 */
public final class ReplicaIndex {
  /** For each block the number of its first copy; at the end the number of all copies. */
  private final int[] starts;

  /** For each copy the position of its holder; -1 if the holder does not take part in the round. */
  private final int[] holders;

  private ReplicaIndex(int[] starts, int[] holders) {
    this.starts = starts;
    this.holders = holders;
  }

  /**
   * Builds the index. Cost: linear in copies.
   *
   * @param holders for each block the executors that have a copy, which may be outside the round
   */
  public static ReplicaIndex of(Members members, List<List<String>> holders) {
    int[] starts = new int[holders.size() + 1];
    int[] positions = new int[2 * holders.size()];
    int copy = 0;
    for (int b = 0; b < holders.size(); b++) {
      for (String holder : holders.get(b)) {
        positions = copy < positions.length ? positions : Arrays.copyOf(positions, 2 * copy);
        positions[copy++] = members.position(holder);
      }
      starts[b + 1] = copy;
    }
    return new ReplicaIndex(starts, Arrays.copyOf(positions, copy));
  }

  /**
   * The same without the copies of some executors, except those of blocks that no other executor of
   * the round holds. The numbers of copies stay.
   */
  public ReplicaIndex without(BitSet executors) {
    int[] left = holders.clone();
    for (int b = 0; b < starts.length - 1; b++) {
      boolean isElsewhere =
          IntStream.range(first(b), end(b))
              .anyMatch(copy -> holders[copy] >= 0 && !executors.get(holders[copy]));
      for (int copy = first(b); isElsewhere && copy < end(b); copy++) {
        left[copy] = holders[copy] >= 0 && executors.get(holders[copy]) ? -1 : holders[copy];
      }
    }
    return new ReplicaIndex(starts, left);
  }

  /** Number of the block's first copy. */
  public int first(int block) {
    return starts[block];
  }

  /** One past the number of the block's last copy. */
  public int end(int block) {
    return starts[block + 1];
  }

  /** How many copies the block has, including those outside the round. */
  public int count(int block) {
    return starts[block + 1] - starts[block];
  }

  /** The executor that holds the copy; -1 for an executor that does not take part in the round. */
  public int holder(int copy) {
    return holders[copy];
  }

  /** The number of the executor's copy of the block, -1 if it has none. */
  public int find(int block, int executor) {
    for (int copy = starts[block]; copy < starts[block + 1]; copy++) {
      if (holders[copy] == executor) {
        return copy;
      }
    }
    return -1;
  }

  /** Whether the executor holds the block. */
  public boolean holds(int executor, int block) {
    return find(block, executor) >= 0;
  }

  /** Per executor of the round the rows of all blocks that it holds. */
  public long[] rowsHeld(Blocks blocks, int executors) {
    long[] rows = new long[executors];
    for (int b = 0; b < blocks.size(); b++) {
      for (int copy = starts[b]; copy < starts[b + 1]; copy++) {
        if (holders[copy] >= 0) {
          rows[holders[copy]] += blocks.rows(b);
        }
      }
    }
    return rows;
  }
}
