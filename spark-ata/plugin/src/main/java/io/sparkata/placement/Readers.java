package io.sparkata.placement;

import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Members;
import io.sparkata.placement.PlacementPlan.Move;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who reads which rows in one round: each block is read by executors that hold it. Where several
 * do, rows go to the one that is furthest from its count, and if all have theirs, to the one that
 * will be ready first; a block is cut only where a count ends inside it, so there are at most n
 * cuts for n executors. A block that no executor of the round holds counts as held by all. Used
 * once.
 */
final class Readers {
  private final Blocks blocks;
  private final Members members;
  private final ReplicaIndex replicas;
  private final CostModel cost;
  private final long[] targetRows;
  private final long tolerance;
  private final long[] rows;
  private final List<List<Span>> spans = new ArrayList<>();
  private final List<Move> fetches = new ArrayList<>();
  private final int[] all;

  Readers(
      Blocks blocks,
      Members members,
      ReplicaIndex replicas,
      CostModel cost,
      long[] targetRows,
      long tolerance) {
    this.blocks = blocks;
    this.members = members;
    this.replicas = replicas;
    this.cost = cost;
    this.targetRows = targetRows;
    this.tolerance = tolerance;
    this.rows = new long[members.size()];
    this.all = IntStream.range(0, members.size()).toArray();
    members.executors().forEach(one -> spans.add(new ArrayList<>()));
    List<Integer> shared = new ArrayList<>();
    for (int b = 0; b < blocks.size(); b++) {
      int[] holders = holders(b);
      if (holders.length == 1) {
        take(holders[0], b, 0, blocks.rows(b));
      } else {
        shared.add(b);
      }
    }
    for (int b : shared) {
      int[] holders = holders(b);
      deal(b, holders.length == 0 ? all : holders, /* isFetched= */ holders.length == 0);
    }
    spans.forEach(own -> own.sort(Comparator.comparingInt(Span::block)));
  }

  /** Per member its spans, in row order. */
  List<List<Span>> spans() {
    return spans;
  }

  /** Rows of each member. */
  long[] rows() {
    return rows;
  }

  /** Blocks that no member holds. */
  List<Move> fetches() {
    return fetches;
  }

  /** How often a block is split between two executors. */
  int cuts() {
    return spans.stream().mapToInt(List::size).sum() - blocks.size();
  }

  private int[] holders(int block) {
    return IntStream.range(replicas.first(block), replicas.end(block))
        .map(replicas::holder)
        .filter(holder -> holder >= 0)
        .toArray();
  }

  private void deal(int block, int[] holders, boolean isFetched) {
    int left = blocks.rows(block);
    int[] given = new int[holders.length];
    boolean[] isFull = new boolean[holders.length];
    while (left > 0) {
      int best = furthest(holders, given, isFull);
      boolean areAllFull = best < 0;
      best = areAllFull ? first(holders, given, left) : best;
      long missing = missing(holders[best], given[best]);
      int taken = areAllFull || missing + tolerance >= left ? left : (int) missing;
      given[best] += taken;
      left -= taken;
      isFull[best] = true;
    }
    int from = 0;
    for (int h = 0; h < holders.length; h++) {
      if (given[h] > 0) {
        take(holders[h], block, from, from + given[h]);
        from += given[h];
        if (isFetched) {
          String id = members.get(holders[h]).id();
          fetches.add(new Move(blocks.get(block), id, blocks.bytes(block)));
        }
      }
    }
  }

  /** Which holder has least by its count, of those that lack rows; -1 if none does. */
  private int furthest(int[] holders, int[] given, boolean[] isFull) {
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int h = 0; h < holders.length; h++) {
      int i = holders[h];
      double load = (rows[i] + given[h] + 1.0) / (double) targetRows[i];
      if (!isFull[h] && missing(i, given[h]) > 0 && load < least) {
        best = h;
        least = load;
      }
    }
    return best;
  }

  private long missing(int executor, int given) {
    return targetRows[executor] - rows[executor] - given;
  }

  /** Which holder will be ready first with so many more, as far as is known. */
  private int first(int[] holders, int[] given, int more) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int h = 0; h < holders.length; h++) {
      int i = holders[h];
      double all = (double) (rows[i] + given[h] + more);
      double seconds = cost.expectedSeconds(i, all);
      double load = Double.isNaN(seconds) ? all / (targetRows[i] + 1e-3) : seconds;
      if (load < least) {
        best = h;
        least = load;
      }
    }
    return best;
  }

  private void take(int executor, int block, int from, int to) {
    spans.get(executor).add(new Span(block, blocks.get(block), from, to));
    rows[executor] += to - from;
  }
}
