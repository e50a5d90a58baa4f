package io.sparkata.placement;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Members;
import io.sparkata.placement.PlacementPlan.Move;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Chooses the blocks that executors fetch, to read them from then on: before they read them in this
 * round, if they are ready before the last reader all the same, else while they wait for its end;
 * from the executor that needs longest, one at a time, for the one that would be ready first of
 * those that lack rows. Used once.
 *
 * <p>A block is worth a move if both hold. The executor that reads it now takes longer than the one
 * that is to get it, even if both times are off by {@link CostModel#margin}: so chance moves
 * nothing. And its rows save the reader more in the rounds left than the fetch takes. If counts do
 * not follow times, all that they want is moved.
 */
final class Relocation {
  private final Members members;
  private final ReplicaIndex replicas;
  private final CostModel cost;
  private final int roundsLeft;
  private final long[] targetRows;
  private final long[] rows;
  private final List<Move> moves = new ArrayList<>();
  private final List<Move> fetches = new ArrayList<>();
  private final List<Given> given = new ArrayList<>();
  private final double[] fetching;
  private final double secondsOfCounts;
  private final double[] room;
  private final Set<BlockRef> moved = new HashSet<>();
  private int refused;

  private record Ready(int executor, double time) {}

  /** The last rows of a span, that another executor reads in this round. */
  private record Given(Span span, int rows, int reader, int receiver) {}

  Relocation(
      Readers readers,
      Members members,
      ReplicaIndex replicas,
      CostModel cost,
      long[] targetRows,
      List<Move> last,
      int roundsLeft) {
    this.members = members;
    this.replicas = replicas;
    this.cost = cost;
    this.targetRows = targetRows;
    this.roundsLeft = roundsLeft;
    this.rows = readers.rows().clone();
    double counted =
        cost.longest(i -> cost.isKnown(i) ? cost.seconds(i, (double) targetRows[i]) : 0);
    this.secondsOfCounts = counted > 0 ? counted : 1;
    this.fetching = new double[rows.length];
    this.room = new double[rows.length];
    double round = cost.longest(i -> cost.seconds(i, (double) rows[i]));
    for (int i = 0; i < rows.length; i++) {
      double most = round / cost.fetchSeconds(i, 1);
      room[i] = Double.isNaN(most) ? Double.POSITIVE_INFINITY : most;
    }
    repeat(last, readers.spans());
    choose(readers.spans());
    give(readers.spans());
  }

  /** Blocks to fetch, for each executor in the order of their gain. */
  List<Move> moves() {
    return moves;
  }

  /** Blocks that tasks fetch in this round. */
  List<Move> fetches() {
    return fetches;
  }

  /** How many blocks stay for now because no gain is certain, or none would pay. */
  int refused() {
    return refused;
  }

  /** What was asked for in the last round may be under way. */
  private void repeat(List<Move> last, List<List<Span>> spans) {
    Map<BlockRef, Integer> receivers = new HashMap<>();
    for (Move move : last) {
      int receiver = members.position(move.executor());
      if (receiver >= 0) {
        receivers.put(move.block(), receiver);
      }
    }
    for (int i = 0; !receivers.isEmpty() && i < rows.length; i++) {
      for (Span span : spans.get(i)) {
        Integer receiver = receivers.get(span.ref());
        if (receiver != null) {
          consider(span, i, receiver);
        }
      }
    }
  }

  private void choose(List<List<Span>> spans) {
    int n = rows.length;
    int[] next = new int[n];
    PriorityQueue<Ready> slowest =
        new PriorityQueue<>(Comparator.comparingDouble(one -> -one.time));
    PriorityQueue<Ready> first = new PriorityQueue<>(Comparator.comparingDouble(one -> one.time));
    for (int i = 0; i < n; i++) {
      next[i] = spans.get(i).size();
      offer(i, slowest, first, next);
    }
    while (!slowest.isEmpty() && !first.isEmpty()) {
      int reader = slowest.poll().executor;
      int receiver = first.poll().executor;
      Span span = spans.get(reader).get(--next[reader]);
      consider(span, reader, receiver);
      offer(reader, slowest, first, next);
      offer(receiver, slowest, first, next);
    }
  }

  private void consider(Span span, int reader, int receiver) {
    int moving =
        (int)
            Math.min(
                span.rows(),
                Math.min(rows[reader] - targetRows[reader], targetRows[receiver] - rows[receiver]));
    if (moving <= 0
        || replicas.holds(receiver, span.block())
        || !replicas.holds(reader, span.block()) // no member does: it is fetched already
        || !moved.add(span.ref())) {
      return;
    }
    if (isWorthIt(span, moving, reader, receiver)) {
      rows[reader] -= moving;
      rows[receiver] += moving;
      Move move = new Move(span.ref(), members.get(receiver).id(), span.ref().bytes());
      double fetched = fetching[receiver] + cost.fetchSeconds(receiver, (double) move.bytes());
      if (fetched + most(receiver, 0) <= least(reader)) { // not while the rate is unknown
        fetching[receiver] = fetched;
        fetches.add(move);
        given.add(new Given(span, moving, reader, receiver));
      } else if (room[receiver] > 0) {
        room[receiver] -= move.bytes();
        moves.add(move);
      }
    } else {
      refused++;
    }
  }

  private void give(List<List<Span>> spans) {
    Map<Span, Integer> left = new HashMap<>();
    Set<Integer> changed = new HashSet<>();
    for (Given one : given) {
      left.put(one.span, one.span.rows() - one.rows);
      changed.add(one.reader);
    }
    for (int reader : changed) {
      spans.get(reader).removeIf(span -> left.getOrDefault(span, 1) == 0);
      spans
          .get(reader)
          .replaceAll(
              span ->
                  left.containsKey(span)
                      ? new Span(
                          span.block(), span.ref(), span.from(), span.from() + left.get(span))
                      : span);
    }
    for (Given one : given) {
      Span span = one.span;
      spans
          .get(one.receiver)
          .add(new Span(span.block(), span.ref(), span.to() - one.rows, span.to()));
      changed.add(one.receiver);
    }
    changed.forEach(i -> spans.get(i).sort(Comparator.comparingInt(Span::block)));
  }

  private void offer(
      int executor, PriorityQueue<Ready> slowest, PriorityQueue<Ready> first, int[] next) {
    if (rows[executor] > targetRows[executor] && next[executor] > 0) {
      slowest.add(new Ready(executor, least(executor)));
    } else if (rows[executor] < targetRows[executor]) {
      first.add(new Ready(executor, most(executor, 0)));
    }
  }

  private boolean isWorthIt(Span span, int moving, int reader, int receiver) {
    double gap = least(reader) - most(receiver, moving);
    double saved = cost.rowSeconds(reader, moving) / cost.margin(reader);
    double price = cost.fetchSeconds(receiver, (double) span.ref().bytes());
    boolean isTooDear = price > Math.min(gap, saved) * roundsLeft; // not while one is unknown
    return gap >= 0 && !(isTooDear && cost.decidesCounts());
  }

  /** The least that the executor may need for its rows. */
  private double least(int executor) {
    return seconds(executor, (double) rows[executor]) / cost.margin(executor);
  }

  /** The most that it may need for so many more. */
  private double most(int executor, int more) {
    return seconds(executor, (double) (rows[executor] + more)) * cost.margin(executor);
  }

  /** By its count where times say nothing. */
  private double seconds(int executor, double ofRows) {
    double expected = cost.expectedSeconds(executor, ofRows);
    return Double.isNaN(expected)
        ? ofRows / (double) targetRows[executor] * secondsOfCounts
        : expected;
  }
}
