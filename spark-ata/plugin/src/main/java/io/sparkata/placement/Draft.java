package io.sparkata.placement;

import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Which executor reads which rows of which block, by positions in the round's members. */
final class Draft {
  private static final Comparator<Span> ROW_ORDER =
      Comparator.comparingInt(Span::block).thenComparingInt(Span::from);

  private final List<List<Span>> spans;
  private final long[] rows;

  /**
   * @param spans per executor, in any order; put in row order
   */
  Draft(List<List<Span>> spans) {
    spans.forEach(ofExecutor -> ofExecutor.sort(ROW_ORDER));
    this.spans = spans;
    this.rows = spans.stream().mapToLong(PlacementPlan::rowsIn).toArray();
  }

  /** A draft in which no executor reads a row. */
  static Draft empty() {
    return new Draft(new ArrayList<>());
  }

  /** Per executor its spans, in row order. */
  List<List<Span>> spans() {
    return spans;
  }

  /** The executor's rows. */
  long rows(int executor) {
    return rows[executor];
  }

  /** How often a block is split between two executors. */
  int cuts(Blocks blocks) {
    return spans.stream().mapToInt(List::size).sum() - blocks.size();
  }

  /** The executor that reads most of each block, the first among equals; -1 if none reads it. */
  int[] owners(int blockCount) {
    int[] owners = new int[blockCount];
    int[] most = new int[blockCount];
    Arrays.fill(owners, -1);
    for (int i = 0; i < rows.length; i++) {
      for (Span span : spans.get(i)) {
        if (span.rows() > most[span.block()]) {
          most[span.block()] = span.rows();
          owners[span.block()] = i;
        }
      }
    }
    return owners;
  }
}
