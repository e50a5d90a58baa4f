package io.sparkata.placement;

import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A plan by positions, in flat arrays: which executor reads which rows of which block. Its spans
 * are numbered in the order of executors and, of each one, in the order of blocks.
 */
final class FlatPlan {
  private final int[] starts;
  private final int[] blocks;
  private final int[] from;
  private final int[] to;
  private final long[] rows;

  private FlatPlan(int[] starts, int[] blocks, int[] from, int[] to) {
    this.starts = starts;
    this.blocks = blocks;
    this.from = from;
    this.to = to;
    this.rows = new long[starts.length - 1];
    for (int i = 0; i < rows.length; i++) {
      for (int span = starts[i]; span < starts[i + 1]; span++) {
        rows[i] += to[span] - from[span];
      }
    }
  }

  /** Collects the spans of a draft, in any order. */
  static final class Builder {
    private final int[] executors;
    private final int[] blocks;
    private final int[] from;
    private final int[] to;
    private int size;

    Builder(int mostSpans) {
      executors = new int[mostSpans];
      blocks = new int[mostSpans];
      from = new int[mostSpans];
      to = new int[mostSpans];
    }

    void add(int executor, int block, int firstRow, int endRow) {
      executors[size] = executor;
      blocks[size] = block;
      from[size] = firstRow;
      to[size++] = endRow;
    }

    FlatPlan build(int executorCount, int blockCount) {
      int[] all = IntStream.range(0, size).toArray();
      int[] byBlock = CountingSort.sorted(all, span -> blocks[span], blockCount);
      int[] order = CountingSort.sorted(byBlock, span -> executors[span], executorCount);
      return new FlatPlan(
          CountingSort.starts(all, span -> executors[span], executorCount),
          picked(blocks, order),
          picked(from, order),
          picked(to, order));
    }

    private static int[] picked(int[] values, int[] order) {
      int[] picked = new int[order.length];
      for (int k = 0; k < order.length; k++) {
        picked[k] = values[order[k]];
      }
      return picked;
    }
  }

  int executors() {
    return rows.length;
  }

  /** Number of all spans. */
  int size() {
    return blocks.length;
  }

  /** Number of the executor's first span. */
  int first(int executor) {
    return starts[executor];
  }

  /** One past the number of the executor's last span. */
  int end(int executor) {
    return starts[executor + 1];
  }

  /** The span's block. */
  int block(int span) {
    return blocks[span];
  }

  /** The executor's rows. */
  long rows(int executor) {
    return rows[executor];
  }

  /** Per block who reads most of it, the first one of equals; -1 where nobody reads it. */
  int[] owners(int blockCount) {
    int[] owners = new int[blockCount];
    int[] most = new int[blockCount];
    Arrays.fill(owners, -1);
    for (int i = 0; i < rows.length; i++) {
      for (int span = first(i); span < end(i); span++) {
        if (to[span] - from[span] > most[blocks[span]]) {
          most[blocks[span]] = to[span] - from[span];
          owners[blocks[span]] = i;
        }
      }
    }
    return owners;
  }

  /** Per executor its spans. */
  List<List<Span>> spans(Blocks refs) {
    List<List<Span>> spans = new ArrayList<>(rows.length);
    for (int i = 0; i < rows.length; i++) {
      List<Span> ofExecutor = new ArrayList<>(end(i) - first(i));
      for (int span = first(i); span < end(i); span++) {
        ofExecutor.add(new Span(blocks[span], refs.get(blocks[span]), from[span], to[span]));
      }
      spans.add(ofExecutor);
    }
    return spans;
  }
}
