package io.sparkata.cache;

import io.sparkata.spark.CachedBlocks.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Moves that wait until probes have found that the elements of all their RDDs can be sent: a failed
 * send leaves its block locked for good. Driver only. Not thread-safe.
 */
final class UnprobedMoves {
  private final List<Move> moves = new ArrayList<>();

  /**
   * Of blocks of one partition that belong together.
   *
   * @param to the new executor
   */
  record Move(List<Block> blocks, String to) {
    private IntStream rdds() {
      return blocks.stream().mapToInt(Block::rdd);
    }
  }

  void add(Move move) {
    moves.add(move);
  }

  /** Whether blocks of this RDD wait. */
  boolean isWaiting(int rdd) {
    return moves.stream().anyMatch(one -> one.rdds().anyMatch(id -> id == rdd));
  }

  /** Forgets those of an RDD that is no longer persisted. */
  void forget(int rdd) {
    moves.removeIf(one -> one.rdds().anyMatch(id -> id == rdd));
  }

  /** Forgets those to executors that are gone. */
  void retain(Set<String> live) {
    moves.removeIf(one -> !live.contains(one.to));
  }

  /**
   * Returns those that need not wait any longer, and forgets them and those that would wait in
   * vain.
   *
   * @param isSendable whether the elements of an RDD can be sent
   * @param isOrdered whether an RDD has orders, which may be a probe
   */
  List<Move> ready(IntPredicate isSendable, IntPredicate isOrdered) {
    List<Move> ready = new ArrayList<>();
    moves.removeIf(
        move -> {
          boolean isReady = move.rdds().allMatch(isSendable);
          if (isReady) {
            ready.add(move);
          }
          return isReady || !move.rdds().allMatch(isSendable.or(isOrdered));
        });
    return ready;
  }
}
