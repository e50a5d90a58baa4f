package io.sparkata.rounds;

import io.sparkata.blocks.Blocks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Checks the invariant: each row of each block is summed once, and all rows of a block come from
 * one packing.
 */
final class Coverage {
  private Coverage() {}

  /**
   * Positions of the blocks whose rows are not covered exactly once under the block's packing id.
   *
   * @param blocks the blocks that the round was to cover
   * @param covered what the tasks report that they read, in any order
   */
  static List<Integer> wronglyCovered(Blocks blocks, List<CoveredRows> covered) {
    int[] coveredUpTo = new int[blocks.size()];
    boolean[] isWrong = new boolean[blocks.size()];
    List<CoveredRows> outOfOrder = new ArrayList<>(); // only blocks that were cut have any
    for (CoveredRows rows : covered) {
      isWrong[rows.block] |= rows.packingId != blocks.packingId(rows.block);
      if (rows.from == coveredUpTo[rows.block]) {
        coveredUpTo[rows.block] = rows.to;
      } else {
        outOfOrder.add(rows);
      }
    }
    outOfOrder.sort(Comparator.comparingInt(rows -> rows.from));
    for (CoveredRows rows : outOfOrder) {
      isWrong[rows.block] |= rows.from != coveredUpTo[rows.block];
      coveredUpTo[rows.block] = rows.to;
    }
    List<Integer> wrong = new ArrayList<>();
    for (int block = 0; block < isWrong.length; block++) {
      if (isWrong[block] || coveredUpTo[block] != blocks.rows(block)) {
        wrong.add(block);
      }
    }
    return wrong;
  }
}
