package io.sparkata.blocks;

import io.sparkata.spark.ExecutorInternals;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.util.SizeEstimator;

/**
 * Packs the elements of one partition into blocks. On its executor, on the task's thread.
 *
 * @param blockBytes the most bytes of a block, unless one element takes more
 * @param shared Spark's block of the same objects on this executor; null for none
 */
public record ElementPacker(PackingAttempt attempt, long blockBytes, RDDBlockId shared) {

  /**
   * Packs all elements.
   *
   * @param user receives each block before it is stored, and also the blocks that are refused
   */
  public PackedPartition pack(Iterator<Object> elements, Consumer<ElementBlock> user) {
    List<Object> pending = new ArrayList<>();
    String layout = "";
    int nextLook = 1;
    while (elements.hasNext()) {
      pending.add(elements.next());
      int count = pending.size();
      if (count < nextLook) {
        continue;
      }
      layout = layout.isEmpty() ? ExecutorInternals.layoutOf(pending.get(0)) : layout;
      Object[] block = pending.toArray();
      double bytes = SizeEstimator.estimate(block);
      nextLook = (int) Math.min(2.0 * count, blockBytes / bytes * count);
      if (nextLook <= count) {
        close(block, (long) bytes, layout, user);
        pending.clear();
        nextLook = 1;
      }
    }
    if (!pending.isEmpty()) {
      Object[] block = pending.toArray();
      close(block, SizeEstimator.estimate(block), layout, user);
    }
    return attempt.result();
  }

  private void close(Object[] elements, long bytes, String layout, Consumer<ElementBlock> user) {
    if (TaskContext.get().isInterrupted()) {
      throw new TaskKilledException("the attempt was cancelled");
    }
    ElementBlock block = new ElementBlock(attempt.packingId(), elements, layout, bytes, shared);
    user.accept(block);
    if (!attempt.isRefused()) {
      attempt.store(block);
    }
  }
}
