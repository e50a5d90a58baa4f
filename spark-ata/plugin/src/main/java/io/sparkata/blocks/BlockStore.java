package io.sparkata.blocks;

import io.sparkata.spark.ExecutorInternals;
import io.sparkata.spark.ExecutorInternals.Held;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.spark.TaskContext;
import org.apache.spark.storage.RDDBlockId;

/**
 * Packed blocks in this executor's block manager. A block is stored only in free storage memory, so
 * that nothing that the application caches is evicted. Executors only.
 */
public final class BlockStore {
  /** Spark reserves this much before it measures a value (spark.storage.unrollMemoryThreshold). */
  private static final long UNROLL_BYTES = 1L << 20;

  /** For object headers and the excess of Spark's size estimator. */
  private static final double SLACK = 1.0625;

  /** One put at a time, so that two cannot count on the same free bytes. */
  private static final Object PUT_LOCK = new Object();

  /** One fetch or drop at a time per block: a second fetch finds the first one's replica. */
  private static final ConcurrentMap<RDDBlockId, Object> FETCHES = new ConcurrentHashMap<>();

  private BlockStore() {}

  /** Where a task got a block from. */
  public enum Source {
    LOCAL,
    FETCHED,
    FETCHED_AND_KEPT
  }

  /** A block in use by the task; to be released. */
  public record Reading(StoredBlock block, Source source, long bytes, Held held) {
    /** Releases the block's lock. */
    public void release() {
      held.release();
    }
  }

  /**
   * Stores a block if it fits into free storage memory.
   *
   * @return whether it is stored now
   */
  static boolean put(RDDBlockId id, StoredBlock block) {
    synchronized (PUT_LOCK) {
      if (isCancelled() || ExecutorInternals.freeStorageBytes() < neededFor(block.addedBytes())) {
        return false;
      }
      if (!ExecutorInternals.put(id, block)) {
        return false;
      }
    }
    if (isCancelled()) {
      ExecutorInternals.drop(id);
      return false;
    }
    return true;
  }

  /**
   * The block that {@code ref} names, with its packing id: read locally, else fetched once from a
   * peer.
   *
   * @param keep whether a fetched block may stay here if free storage memory allows
   * @return null if no executor holds it under this packing id
   */
  public static Reading read(BlockRef ref, boolean keep) {
    RDDBlockId id = ref.id();
    Reading local = matching(ExecutorInternals.readLocal(id), ref, Source.LOCAL);
    if (local != null) {
      return local;
    }
    Object lock = FETCHES.computeIfAbsent(id, unused -> new Object());
    try {
      synchronized (lock) {
        Held held = ExecutorInternals.readLocal(id);
        local = matching(held, ref, Source.LOCAL);
        if (local != null) {
          return local;
        }
        if (held != null) { // by one thread: Spark may wait for ever where several remove a block
          ExecutorInternals.drop(id);
        }
        Reading fetched = matching(ExecutorInternals.readRemote(id), ref, Source.FETCHED);
        if (fetched == null || !keep || !put(id, fetched.block())) {
          return fetched;
        }
        return new Reading(
            fetched.block(), Source.FETCHED_AND_KEPT, fetched.bytes(), fetched.held());
      }
    } finally {
      FETCHES.remove(id, lock);
    }
  }

  /**
   * Fetches a block from a peer and keeps it, if free storage memory allows.
   *
   * @return where it came from; {@link Source#FETCHED} if it could not stay; null if no executor
   *     holds it, or if it does not fit
   */
  static Source fetch(BlockRef ref) {
    if (ExecutorInternals.freeStorageBytes() < neededFor(ref.bytes())) {
      return null;
    }
    Reading reading = read(ref, /* keep= */ true);
    if (reading == null) {
      return null;
    }
    reading.release();
    if (reading.source() == Source.FETCHED_AND_KEPT && dropIfEnded(ref)) {
      return null;
    }
    return reading.source();
  }

  /**
   * Drops a block that was fetched and kept outside a round, if its training has ended meanwhile:
   * then no other executor holds it.
   *
   * @return whether it did
   */
  public static boolean dropIfEnded(BlockRef ref) {
    boolean hasEnded = !ExecutorInternals.isHeldByOthers(ref.id());
    if (hasEnded) {
      ExecutorInternals.dropForGood(ref.id());
    }
    return hasEnded;
  }

  private static long neededFor(long bytes) {
    return (long) (ExecutorInternals.unrollGrowth() * bytes * SLACK) + UNROLL_BYTES;
  }

  private static Reading matching(Held held, BlockRef ref, Source source) {
    if (held == null) {
      return null;
    }
    StoredBlock block = (StoredBlock) held.value();
    if (block.packingId() == ref.packingId() && block.rows() == ref.rows() && block.isReadable()) {
      return new Reading(block, source, held.bytes(), held);
    }
    held.release();
    return null;
  }

  private static boolean isCancelled() {
    TaskContext task = ExecutorInternals.task();
    return task != null && task.isInterrupted();
  }
}
