package io.sparkata.placement;

import io.sparkata.blocks.Blocks;
import io.sparkata.placement.Placement.Target;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One draft in the making, in three steps: owners keep whole blocks while these fit their count;
 * other blocks go whole to a holder that has room; what is left fills the gaps one executor after
 * the other, so only the last block that each one takes can be cut. Used once.
 */
final class WrapAroundPlacer {
  private static final int RADIX_BITS = 11;

  private final Blocks blocks;
  private final ReplicaIndex copies;
  private final int[] owners;
  private final long tolerance;
  private final long[] deficit;
  private final long[] free;
  private final int[] takenUpTo;
  private final FlatPlan.Builder draft;

  /**
   * @param owners per block the position of its owner so far, -1 for nobody
   * @param targets in the order of the copies' executors; their rows sum to the blocks' rows
   * @param tolerance rows by which a count may be missed to keep a block whole
   */
  WrapAroundPlacer(
      Blocks blocks, ReplicaIndex copies, int[] owners, List<Target> targets, long tolerance) {
    this.blocks = blocks;
    this.copies = copies;
    this.owners = owners;
    this.tolerance = tolerance;
    this.deficit = targets.stream().mapToLong(Target::targetRows).toArray();
    this.free = targets.stream().mapToLong(Target::freeBytes).toArray();
    this.takenUpTo = new int[blocks.size()];
    this.draft = new FlatPlan.Builder(blocks.size() + targets.size());
    long wanted = Arrays.stream(deficit).sum();
    if (wanted != blocks.rows()) {
      throw new IllegalArgumentException(
          "Invalid target rows: " + wanted + " in all (the blocks have " + blocks.rows() + ")");
    }
  }

  FlatPlan draft() {
    ownersKeepWholeBlocks();
    holdersTakeWholeBlocks();
    fillGaps();
    return draft.build(deficit.length, takenUpTo.length);
  }

  /** Blocks that nobody else holds are kept first: the others are cheaper to give away. */
  private void ownersKeepWholeBlocks() {
    int[] all = IntStream.range(0, takenUpTo.length).toArray();
    int most = 0;
    for (int b : all) {
      most = Math.max(most, copies.count(b));
    }
    for (int b : CountingSort.sorted(all, copies::count, most + 1)) {
      int owner = owners[b];
      if (owner >= 0 && fitsWhole(owner, b) && copies.holds(owner, b)) {
        take(owner, b, blocks.rows(b));
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

  /** Who lacks most of those that hold the block and can take it whole, or -1. */
  private int neediestHolder(int b) {
    int best = -1;
    for (int copy = copies.first(b); copy < copies.end(b); copy++) {
      int i = copies.executor(copy);
      if (i >= 0 && fitsWhole(i, b)) {
        boolean isBetter = best < 0 || deficit[i] > deficit[best];
        best = isBetter || (deficit[i] == deficit[best] && i < best) ? i : best;
      }
    }
    return best;
  }

  private void fillGaps() {
    Pool pool = new Pool();
    for (int i : neediestFirst()) {
      for (int b = pool.choose(i); deficit[i] > 0 && b >= 0; b = pool.choose(i)) {
        int left = blocks.rows(b) - takenUpTo[b];
        if (!copies.holds(i, b)) {
          free[i] -= blocks.bytes(b);
        }
        take(i, b, (int) Math.min(left, deficit[i]));
        if (isTaken(b)) {
          pool.byBytes.remove(b);
        }
      }
    }
  }

  /** Those who lack rows, by radix sort. */
  private int[] neediestFirst() {
    int[] order = IntStream.range(0, deficit.length).filter(i -> deficit[i] > 0).toArray();
    long most = Arrays.stream(deficit).max().orElse(0);
    for (int shift = 0; shift < Long.SIZE && most >> shift > 0; shift += RADIX_BITS) {
      int digit = shift;
      order =
          CountingSort.sorted(
              order,
              i -> (int) ((most - deficit[i]) >> digit) & ((1 << RADIX_BITS) - 1),
              1 << RADIX_BITS);
    }
    return order;
  }

  private boolean isTaken(int b) {
    return takenUpTo[b] == blocks.rows(b);
  }

  private boolean fitsWhole(int i, int b) {
    return deficit[i] > 0 && blocks.rows(b) <= deficit[i] + tolerance;
  }

  private void take(int i, int b, int rows) {
    draft.add(i, b, takenUpTo[b], takenUpTo[b] + rows);
    takenUpTo[b] += rows;
    deficit[i] -= rows;
  }

  /** The blocks for the gaps: none of them is begun at first. */
  private final class Pool {
    final FirstFit byBytes = new FirstFit(takenUpTo.length);

    /** The pool's blocks by who holds them: an executor's next one is at {@code next[i]}. */
    private final int[] held;

    private final int[] next;
    private final int[] starts = new int[deficit.length + 1];

    Pool() {
      for (int b = 0; b < takenUpTo.length; b++) {
        if (takenUpTo[b] == 0) {
          byBytes.add(b, blocks.bytes(b));
          for (int copy = copies.first(b); copy < copies.end(b); copy++) {
            if (copies.executor(copy) >= 0) {
              starts[copies.executor(copy) + 1]++;
            }
          }
        }
      }
      for (int i = 0; i < deficit.length; i++) {
        starts[i + 1] += starts[i];
      }
      held = new int[starts[deficit.length]];
      next = starts.clone();
      for (int b = 0; b < takenUpTo.length; b++) {
        for (int copy = copies.first(b); takenUpTo[b] == 0 && copy < copies.end(b); copy++) {
          if (copies.executor(copy) >= 0) {
            held[next[copies.executor(copy)]++] = b;
          }
        }
      }
      System.arraycopy(starts, 0, next, 0, next.length);
    }

    /**
     * The first block that executor {@code i} holds, else the first that it has room for, else the
     * first of all; -1 if none is left.
     */
    int choose(int i) {
      while (next[i] < starts[i + 1] && isTaken(held[next[i]])) {
        next[i]++;
      }
      if (next[i] < starts[i + 1]) {
        return held[next[i]];
      }
      int roomy = byBytes.first(free[i]);
      return roomy >= 0 ? roomy : byBytes.first(Long.MAX_VALUE);
    }
  }
}
