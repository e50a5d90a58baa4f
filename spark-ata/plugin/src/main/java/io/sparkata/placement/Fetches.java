package io.sparkata.placement;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.placement.PlacementPlan.Move;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What executors must fetch for a draft: the blocks that they read and do not hold. */
final class Fetches {
  private final FlatPlan draft;
  private final Blocks blocks;
  private final boolean[] isFetched;
  private final long[] bytes;
  private final BitSet readCopies;
  private boolean isEmpty = true;

  Fetches(FlatPlan draft, Blocks blocks, ReplicaIndex copies) {
    this.draft = draft;
    this.blocks = blocks;
    this.isFetched = new boolean[draft.size()];
    this.bytes = new long[draft.executors()];
    this.readCopies = new BitSet(copies.size());
    for (int i = 0; i < bytes.length; i++) {
      for (int span = draft.first(i); span < draft.end(i); span++) {
        int copy = copies.find(draft.block(span), i);
        if (copy >= 0) {
          readCopies.set(copy);
        } else {
          isFetched[span] = true;
          isEmpty = false;
          bytes[i] += blocks.bytes(draft.block(span));
        }
      }
    }
  }

  boolean isEmpty() {
    return isEmpty;
  }

  /** What the executor fetches. */
  long bytes(int executor) {
    return bytes[executor];
  }

  /** The copies that their holders read from. */
  BitSet readCopies() {
    return readCopies;
  }

  /** In the order of the draft. */
  List<Move> moves(List<String> executors) {
    List<Move> moves = new ArrayList<>();
    for (int i = 0; i < bytes.length && !isEmpty; i++) {
      for (int span = draft.first(i); span < draft.end(i); span++) {
        if (isFetched[span]) {
          BlockRef block = blocks.get(draft.block(span));
          moves.add(new Move(block, executors.get(i), block.bytes()));
        }
      }
    }
    return moves;
  }
}
