package io.sparkata.scheduling;

import io.sparkata.data.BlockRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The check behind the invariant: each row of each block once, all from one packing. */
final class Coverage {
  private Coverage() {}

  /**
   * Positions of the blocks whose rows are not covered exactly once under the block's stamp.
   *
   * @param blocks the blocks that the round was to cover
   * @param covered what the tasks say they read, in any order
   */
  static List<Integer> wronglyCovered(List<BlockRef> blocks, List<CoveredRows> covered) {
    int[] coveredUpTo = new int[blocks.size()];
    boolean[] isWrong = new boolean[blocks.size()];
    List<CoveredRows> inOrder = new ArrayList<>(covered);
    inOrder.sort(
        Comparator.comparingInt((CoveredRows rows) -> rows.block)
            .thenComparingInt(rows -> rows.from));
    for (CoveredRows rows : inOrder) {
      int block = rows.block;
      isWrong[block] |= rows.stamp != blocks.get(block).stamp();
      isWrong[block] |= rows.from != coveredUpTo[block];
      coveredUpTo[block] = rows.to;
    }
    List<Integer> wrong = new ArrayList<>();
    for (int block = 0; block < isWrong.length; block++) {
      if (isWrong[block] || coveredUpTo[block] != blocks.get(block).rows()) {
        wrong.add(block);
      }
    }
    return wrong;
  }
}
