package io.sparkata.placement;

import io.sparkata.blocks.Span;
import io.sparkata.cluster.Members;
import io.sparkata.placement.PlacementPlan.Move;
import java.util.ArrayList;
import java.util.List;

/** What executors must fetch for a draft: the blocks that they read and do not hold. */
final class Fetches {
  private final long[] bytes;
  private final List<Move> moves = new ArrayList<>();

  Fetches(Draft draft, Members members, ReplicaIndex replicas) {
    this.bytes = new long[members.size()];
    for (int i = 0; i < bytes.length; i++) {
      for (Span span : draft.spans().get(i)) {
        if (!replicas.holds(i, span.block())) {
          bytes[i] += span.ref().bytes();
          moves.add(new Move(span.ref(), members.get(i).id(), span.ref().bytes()));
        }
      }
    }
  }

  boolean isEmpty() {
    return moves.isEmpty();
  }

  /** What the executor fetches. */
  long bytes(int executor) {
    return bytes[executor];
  }

  /** One per fetched span, in the order of the draft. */
  List<Move> moves() {
    return moves;
  }
}
