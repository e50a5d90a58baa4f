package io.sparkata.data;

import io.sparkata.data.Placement.Target;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One draft in the making, in three steps: owners keep whole blocks while these fit their count;
 * other blocks go whole to a holder that has room; what is left fills the gaps one executor after
 * the other, so only the last block that each one takes can be cut. Used once.
 */
final class Filling {
  private static final int RADIX_BITS = 11;

  private final List<BlockRef> blocks;
  private final Copies copies;
  private final int[] owners;
  private final long tolerance;
  private final long[] deficit;
  private final long[] free;
  private final int[] takenUpTo;
  private final Draft.Builder draft;

  /**
   * @param owners per block the position of its owner so far, -1 for nobody
   * @param targets in the order of the copies' executors; their rows sum to the blocks' rows
   * @param tolerance rows by which a count may be missed to keep a block whole
   */
  Filling(
      List<BlockRef> blocks, Copies copies, int[] owners, List<Target> targets, long tolerance) {
    this.blocks = blocks;
    this.copies = copies;
    this.owners = owners;
    this.tolerance = tolerance;
    this.deficit = targets.stream().mapToLong(Target::targetRows).toArray();
    this.free = targets.stream().mapToLong(Target::freeBytes).toArray();
    this.takenUpTo = new int[blocks.size()];
    this.draft = new Draft.Builder(blocks.size() + targets.size());
    long wanted = Arrays.stream(deficit).sum();
    long rows = blocks.stream().mapToLong(BlockRef::rows).sum();
    if (wanted != rows) {
      throw new IllegalArgumentException(
          "Invalid target rows: " + wanted + " in all (the blocks have " + rows + ")");
    }
  }

  Draft draft() {
    ownersKeepWholeBlocks();
    holdersTakeWholeBlocks();
    fillGaps();
    return draft.build(deficit.length, takenUpTo.length);
  }

  /** Blocks that nobody else holds are kept first: the others are cheaper to give away. */
  private void ownersKeepWholeBlocks() {
    int[] all = IntStream.range(0, takenUpTo.length).toArray();
    int most = Arrays.stream(all).map(copies::count).max().orElse(0);
    for (int b : CountingSort.sorted(all, copies::count, most + 1)) {
      int owner = owners[b];
      if (owner >= 0 && fitsWhole(owner, b) && copies.holds(owner, b)) {
        take(owner, b, blocks.get(b).rows());
      }
    }
  }

  private void holdersTakeWholeBlocks() {
    for (int b = 0; b < takenUpTo.length; b++) {
      int best = takenUpTo[b] > 0 ? -1 : neediestHolder(b);
      if (best >= 0) {
        take(best, b, blocks.get(b).rows());
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
        int left = blocks.get(b).rows() - takenUpTo[b];
        if (!copies.holds(i, b)) {
          free[i] -= blocks.get(b).bytes();
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
    return takenUpTo[b] == blocks.get(b).rows();
  }

  private boolean fitsWhole(int i, int b) {
    return deficit[i] > 0 && blocks.get(b).rows() <= deficit[i] + tolerance;
  }

  private void take(int i, int b, int rows) {
    draft.add(i, b, takenUpTo[b], takenUpTo[b] + rows);
    takenUpTo[b] += rows;
    deficit[i] -= rows;
  }

  /** The blocks for the gaps: none of them is begun at first. */
  private final class Pool {
    final FirstFit byBytes = new FirstFit(takenUpTo.length);

    /** The copies of the pool's blocks, by executor: an executor's next one is {@code next[i]}. */
    private final int[] held;

    private final int[] next;
    private final int[] starts;
    private final int[] blockOf = new int[copies.size()];

    Pool() {
      int[] open = IntStream.range(0, takenUpTo.length).filter(b -> takenUpTo[b] == 0).toArray();
      for (int b : open) {
        byBytes.add(b, blocks.get(b).bytes());
        Arrays.fill(blockOf, copies.first(b), copies.end(b), b);
      }
      int[] ofPool =
          Arrays.stream(open)
              .flatMap(b -> IntStream.range(copies.first(b), copies.end(b)))
              .filter(copy -> copies.executor(copy) >= 0)
              .toArray();
      held = CountingSort.sorted(ofPool, copies::executor, deficit.length);
      starts = CountingSort.starts(ofPool, copies::executor, deficit.length);
      next = starts.clone();
    }

    /**
     * The first block that executor {@code i} holds, else the first that it has room for, else the
     * first of all; -1 if none is left.
     */
    int choose(int i) {
      while (next[i] < starts[i + 1] && isTaken(blockOf[held[next[i]]])) {
        next[i]++;
      }
      if (next[i] < starts[i + 1]) {
        return blockOf[held[next[i]]];
      }
      int roomy = byBytes.first(free[i]);
      return roomy >= 0 ? roomy : byBytes.first(Long.MAX_VALUE);
    }
  }
}
