package io.sparkata.placement;

import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Members;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes one plan by McNaughton's wrap-around rule (R. McNaughton, Scheduling with deadlines and
 * loss functions, 1959), in three steps: owners keep whole blocks while these fit their count;
 * other blocks go whole to a holder that lacks rows; the remaining blocks fill the gaps one
 * executor after the other, so that only the last block of each can be cut. Used once.
 */
final class WrapAroundPlacer {
  private final Blocks blocks;
  private final ReplicaIndex replicas;
  private final int[] owners;
  private final long tolerance;
  private final long[] deficit;
  private final long[] free;
  private final int[] takenUpTo;
  private final List<List<Span>> spans = new ArrayList<>();

  /** All blocks with a lower number are placed. */
  private int firstLeft;

  /**
   * @param owners for each block the position of its owner so far, -1 for none
   * @param targetRows rows wanted of each member; their sum is the blocks' rows
   * @param tolerance rows by which a count may differ to keep a block whole
   */
  WrapAroundPlacer(
      Blocks blocks,
      Members members,
      ReplicaIndex replicas,
      int[] owners,
      long[] targetRows,
      long tolerance) {
    this.blocks = blocks;
    this.replicas = replicas;
    this.owners = owners;
    this.tolerance = tolerance;
    this.deficit = targetRows.clone();
    this.free = members.executors().stream().mapToLong(one -> one.freeBytes()).toArray();
    this.takenUpTo = new int[blocks.size()];
    long wanted = Arrays.stream(targetRows).sum();
    if (wanted != blocks.rows()) {
      throw new IllegalArgumentException(
          "Invalid target rows: " + wanted + " in all (the blocks have " + blocks.rows() + ")");
    }
    for (int i = 0; i < targetRows.length; i++) {
      spans.add(new ArrayList<>());
    }
  }

  Draft draft() {
    ownersKeepWholeBlocks();
    holdersTakeWholeBlocks();
    fillGaps();
    return new Draft(spans);
  }

  /** Blocks with fewer copies are kept first: the others are cheaper to give away. */
  private void ownersKeepWholeBlocks() {
    int most = IntStream.range(0, blocks.size()).map(replicas::count).max().orElse(0);
    for (int copies = 1; copies <= most; copies++) {
      for (int b = 0; b < takenUpTo.length; b++) {
        int owner = owners[b];
        if (replicas.count(b) == copies
            && owner >= 0
            && fitsWhole(owner, b)
            && replicas.holds(owner, b)) {
          take(owner, b, blocks.rows(b));
        }
      }
    }
  }

  private void holdersTakeWholeBlocks() {
    for (int b = 0; b < takenUpTo.length; b++) {
      int best = takenUpTo[b] > 0 ? -1 : neediestHolder(b);
      if (best >= 0) {
        take(best, b, blocks.rows(b));
      }
    }
  }

  /** The holder that lacks most of those that can take the block whole, or -1. */
  private int neediestHolder(int b) {
    int best = -1;
    for (int copy = replicas.first(b); copy < replicas.end(b); copy++) {
      int i = replicas.holder(copy);
      if (i >= 0 && fitsWhole(i, b)) {
        boolean isBetter = best < 0 || deficit[i] > deficit[best];
        best = isBetter || (deficit[i] == deficit[best] && i < best) ? i : best;
      }
    }
    return best;
  }

  /**
   * Executors that lack most come first; each takes first what it holds, then what it has memory
   * for.
   */
  private void fillGaps() {
    List<List<Integer>> held = leftByHolder();
    int[] neediestFirst =
        IntStream.range(0, deficit.length)
            .filter(i -> deficit[i] > 0)
            .boxed()
            .sorted(Comparator.comparingLong(i -> -deficit[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i : neediestFirst) {
      for (int b : held.get(i)) {
        takeWhatIsLeft(i, b);
      }
      for (int b = firstThatFits(i); deficit[i] > 0 && b >= 0; b = firstThatFits(i)) {
        free[i] -= blocks.bytes(b);
        takeWhatIsLeft(i, b);
      }
    }
  }

  /** For each executor the blocks that it holds and of which no row is placed yet. */
  private List<List<Integer>> leftByHolder() {
    List<List<Integer>> held = new ArrayList<>();
    for (int i = 0; i < deficit.length; i++) {
      held.add(new ArrayList<>());
    }
    for (int b = 0; b < takenUpTo.length; b++) {
      for (int copy = replicas.first(b); takenUpTo[b] == 0 && copy < replicas.end(b); copy++) {
        if (replicas.holder(copy) >= 0) {
          held.get(replicas.holder(copy)).add(b);
        }
      }
    }
    return held;
  }

  /** The first block left that the executor has memory for, else the first left of all, or -1. */
  private int firstThatFits(int i) {
    while (firstLeft < takenUpTo.length && isTaken(firstLeft)) {
      firstLeft++;
    }
    for (int b = firstLeft; free[i] >= blocks.leastBytes() && b < takenUpTo.length; b++) {
      if (!isTaken(b) && blocks.bytes(b) <= free[i]) {
        return b;
      }
    }
    return firstLeft < takenUpTo.length ? firstLeft : -1;
  }

  private boolean isTaken(int b) {
    return takenUpTo[b] == blocks.rows(b);
  }

  private boolean fitsWhole(int i, int b) {
    return deficit[i] > 0 && blocks.rows(b) <= deficit[i] + tolerance;
  }

  private void takeWhatIsLeft(int i, int b) {
    int rows = (int) Math.min(blocks.rows(b) - takenUpTo[b], deficit[i]);
    if (rows > 0) {
      take(i, b, rows);
    }
  }

  private void take(int i, int b, int rows) {
    spans.get(i).add(new Span(b, blocks.get(b), takenUpTo[b], takenUpTo[b] + rows));
    takenUpTo[b] += rows;
    deficit[i] -= rows;
  }
}
