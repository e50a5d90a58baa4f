package io.sparkata.placement;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Members;
import java.util.ArrayList;
import java.util.List;

/**
 * Which executor reads which rows in one round.
 *
 * @param members the executors of the round
 * @param spans per member its spans, in row order
 * @param fetches blocks that tasks fetch before they read them
 * @param moves blocks that executors fetch while they wait for the round's end, for later rounds
 * @param refused blocks that stay where they are though the counts want them elsewhere
 * @param cuts how often a block is split between two executors
 */
public record PlacementPlan(
    Members members,
    List<List<Span>> spans,
    List<Move> fetches,
    List<Move> moves,
    int refused,
    int cuts) {

  /** One block that {@code executor} fetches, {@code bytes} large. */
  public record Move(BlockRef block, String executor, long bytes) {}

  /** Rows of each member, in order. */
  public long[] rows() {
    return spans.stream().mapToLong(PlacementPlan::rowsIn).toArray();
  }

  /** Rows of some spans. */
  public static long rowsIn(List<Span> spans) {
    long rows = 0;
    for (Span span : spans) {
      rows += span.rows();
    }
    return rows;
  }

  /**
   * Splits one executor's spans into at most {@code parts} runs of nearly equal rows, in order.
   * Cutting a span moves no data, because the same executor reads all runs.
   */
  public static List<List<Span>> split(List<Span> spans, int parts) {
    if (parts == 1) {
      return spans.isEmpty() ? List.of() : List.of(spans);
    }
    long total = rowsIn(spans);
    List<List<Span>> runs = new ArrayList<>();
    int next = 0;
    int offset = 0;
    long given = 0;
    for (int part = 0; part < parts; part++) {
      long goal = total * (part + 1) / parts;
      List<Span> run = new ArrayList<>();
      while (given < goal) {
        Span span = spans.get(next);
        int from = span.from() + offset;
        int to = (int) Math.min(span.to(), from + (goal - given));
        boolean isWhole = from == span.from() && to == span.to();
        run.add(isWhole ? span : new Span(span.block(), span.ref(), from, to));
        given += to - from;
        offset = to - span.from();
        if (to == span.to()) {
          next++;
          offset = 0;
        }
      }
      if (!run.isEmpty()) {
        runs.add(run);
      }
    }
    return runs;
  }
}
