package io.sparkata.placement;

import io.sparkata.blocks.Blocks;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who holds which block, by positions in a round's lists of executors and blocks: looked up once a
 * round, asked many times. The copies of all blocks are numbered from 0, block by block. Driver
 * only.
 */
public final class ReplicaIndex {
  /** No executors and no blocks. */
  public static final ReplicaIndex NONE = new ReplicaIndex(new int[1], new int[0]);

  /** By block the number of its first copy; at the end the number of all copies. */
  private final int[] starts;

  private final int[] executors;

  /** The rows that executors hold, of {@link #rowsHeldOf}; looked up once. */
  private long[] rowsHeld = {};

  private Blocks rowsHeldOf;

  private ReplicaIndex(int[] starts, int[] executors) {
    this.starts = starts;
    this.executors = executors;
  }

  /**
   * Looks up the holders. Cost: linear in executors and copies.
   *
   * @param executors the executors of the round
   * @param holders per block the executors that have a copy, perhaps such that are not in the round
   */
  public static ReplicaIndex of(List<String> executors, List<List<String>> holders) {
    return NONE.next(executors, holders);
  }

  /**
   * The same for the next round: fast for a holder that is where it was. These very copies if
   * nothing has changed.
   */
  public ReplicaIndex next(List<String> present, List<List<String>> holders) {
    Map<String, Integer> positions = null;
    int[] newStarts = new int[holders.size() + 1];
    int[] holding = new int[2 * holders.size()];
    int copy = 0;
    for (int b = 0; b < holders.size(); b++) {
      int last = b < starts.length ? starts[b] : size();
      for (String holder : holders.get(b)) {
        int position = last < size() ? executors[last++] : -1;
        if (position < 0 || position >= present.size() || !present.get(position).equals(holder)) {
          positions = positions == null ? positions(present) : positions;
          position = positions.getOrDefault(holder, -1);
        }
        holding = copy < holding.length ? holding : Arrays.copyOf(holding, 2 * copy);
        holding[copy++] = position;
      }
      newStarts[b + 1] = copy;
    }
    boolean areSame =
        Arrays.equals(starts, newStarts)
            && Arrays.equals(executors, 0, executors.length, holding, 0, copy);
    return areSame && this != NONE
        ? this
        : new ReplicaIndex(newStarts, Arrays.copyOf(holding, copy));
  }

  /** Where each of the executors {@code from} is among those of {@code to}; -1 if it is not. */
  public static int[] translation(List<String> from, List<String> to) {
    int[] translation = new int[from.size()];
    if (from.equals(to)) {
      Arrays.setAll(translation, i -> i);
    } else {
      Map<String, Integer> positions = positions(to);
      Arrays.setAll(translation, i -> positions.getOrDefault(from.get(i), -1));
    }
    return translation;
  }

  private static Map<String, Integer> positions(List<String> executors) {
    Map<String, Integer> positions = new HashMap<>(2 * executors.size());
    for (int i = 0; i < executors.size(); i++) {
      positions.put(executors.get(i), i);
    }
    return positions;
  }

  /** Number of all copies. */
  public int size() {
    return executors.length;
  }

  /** Number of the block's first copy. */
  public int first(int block) {
    return starts[block];
  }

  /** One past the number of the block's last copy. */
  public int end(int block) {
    return starts[block + 1];
  }

  /** How many copies the block has, those of executors that are not in the round among them. */
  public int count(int block) {
    return starts[block + 1] - starts[block];
  }

  /** Who holds the copy; -1 for an executor that is not in the round. */
  public int executor(int copy) {
    return executors[copy];
  }

  /** Per executor of the round the rows of all blocks that it holds; not to be changed. */
  public long[] rowsHeld(Blocks blocks, int executorCount) {
    if (!blocks.equals(rowsHeldOf) || rowsHeld.length != executorCount) {
      rowsHeld = countRows(blocks, executorCount);
      rowsHeldOf = blocks;
    }
    return rowsHeld;
  }

  private long[] countRows(Blocks blocks, int executorCount) {
    long[] rows = new long[executorCount];
    for (int b = 0; b < blocks.size(); b++) {
      for (int copy = starts[b]; copy < starts[b + 1]; copy++) {
        if (executors[copy] >= 0) {
          rows[executors[copy]] += blocks.rows(b);
        }
      }
    }
    return rows;
  }

  /** The number of the executor's copy of the block, -1 if it has none. */
  public int find(int block, int executor) {
    for (int copy = starts[block]; copy < starts[block + 1]; copy++) {
      if (executors[copy] == executor) {
        return copy;
      }
    }
    return -1;
  }

  /** Whether the executor holds the block. */
  public boolean holds(int executor, int block) {
    return find(block, executor) >= 0;
  }
}
