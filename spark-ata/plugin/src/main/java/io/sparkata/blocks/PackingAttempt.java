package io.sparkata.blocks;

import io.sparkata.spark.ExecutorInternals;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.util.TaskFailureListener;

/**
 * One attempt at packing a partition, on its executor. It marks its blocks with a packing id of its
 * own; if its task fails, it drops them.
 *
 * <p>The n-th block of partition p of P has the number {@code n * P + p}: small numbers, because
 * with dynamic allocation Spark's driver keeps a bit per executor for each number up to the
 * largest.
 */
public final class PackingAttempt {
  private final int rddId;
  private final int partition;
  private final int all;
  private final int first;
  private final long packingId = new SecureRandom().nextLong();
  private final long start = System.nanoTime();
  private final List<BlockRef> stored = new ArrayList<>();
  private long rows;
  private long bytesRefused;
  private String layout = "";

  /**
   * An attempt of the current task.
   *
   * @param rddId under which the blocks are stored
   * @param partition of the caller's RDD
   * @param all partitions of that RDD
   * @param first the n of the first block
   */
  public PackingAttempt(int rddId, int partition, int all, int first) {
    this.rddId = rddId;
    this.partition = partition;
    this.all = all;
    this.first = first;
    TaskContext.get().addTaskFailureListener((TaskFailureListener) (context, error) -> undo());
  }

  long packingId() {
    return packingId;
  }

  /** Whether a block was refused; then none is stored, and no other will be. */
  boolean isRefused() {
    return bytesRefused > 0;
  }

  /**
   * Stores the next block if free storage memory has room for it; else drops all of them.
   *
   * @throws TaskKilledException if there is no room and this is the second attempt: the first one
   *     may still run where there is. Spark counts no failure, and a third attempt may be refused.
   */
  void store(StoredBlock block) {
    int number = first + stored.size();
    if (number > (Integer.MAX_VALUE - partition) / all) {
      throw new IllegalStateException(
          "Cannot pack partition "
              + partition
              + ": more than "
              + stored.size()
              + " blocks. Set spark.ata.blockSize to a larger size");
    }
    int index = number * all + partition;
    RDDBlockId id = new RDDBlockId(rddId, index);
    ExecutorInternals.drop(id); // that of an earlier attempt, if any
    if (!BlockStore.put(id, block)) {
      bytesRefused = block.addedBytes();
      undo();
      if (TaskContext.get().attemptNumber() == 1) {
        throw new TaskKilledException("no room for the second attempt at packing");
      }
      return;
    }
    stored.add(new BlockRef(rddId, index, partition, rows, block.rows(), block.bytes(), packingId));
    rows += block.rows();
    layout = layout.isEmpty() ? block.layout() : layout;
  }

  /** What the driver gets. */
  PackedPartition result() {
    return new PackedPartition(
        partition,
        stored,
        bytesRefused,
        layout,
        ExecutorInternals.executorId(),
        System.nanoTime() - start);
  }

  private void undo() {
    List<BlockRef> all = List.copyOf(stored);
    stored.clear();
    dropAll(all, block -> ExecutorInternals.dropForGood(block.id()));
  }

  /**
   * Works on an interrupted thread too: Spark kills the slower of two attempts that way, perhaps
   * twice, because another attempt has succeeded and because the stage has ended. An interrupt in
   * the middle of a drop ends it, and the master would still believe that the block is here.
   *
   * @param drop a block; may throw {@link InterruptedException}
   */
  static void dropAll(List<BlockRef> blocks, Consumer<BlockRef> drop) {
    boolean wasInterrupted = false;
    try {
      for (BlockRef block : blocks) {
        boolean isDropped = false;
        while (!isDropped) {
          wasInterrupted |= Thread.interrupted();
          try {
            drop.accept(block);
            isDropped = true;
          } catch (Exception error) {
            if (!isInterrupt(error)) {
              throw error;
            }
            wasInterrupted = true;
          }
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Scala's methods declare none. */
  private static boolean isInterrupt(Exception error) {
    return error instanceof InterruptedException;
  }
}
