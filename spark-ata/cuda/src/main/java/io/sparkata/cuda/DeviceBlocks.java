package io.sparkata.cuda;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Packed blocks in device memory, up to a limit. Where there is no room for another one, the least
 * recently used goes if it has not been asked for while all others could have been, twice: rounds
 * ask for the same blocks again and again, and giving up one of them for another would copy both in
 * every round. A block that is garbage on the heap goes when the next one is asked for. Recognised
 * by identity: while Spark keeps a block, its readers get the same object. While one task copies a
 * block, only those that ask for the same one wait. Thread-safe; the device's context must be
 * current.
 */
final class DeviceBlocks {
  /**
   * What a block counts is a multiple of this: cuMemAlloc takes whole pages of 2 MiB for all above
   * 1 MiB. A smaller block may share its page with others, and then counts too much.
   */
  static final long PAGE_BYTES = 2L << 20;

  /** At which the parts of a block begin: as cuMemAlloc aligns what it gives out. */
  private static final long ALIGNMENT = 256;

  private final CudaDriver driver;
  private final long limit;
  private final boolean isSingle;

  /** The least recently used first: a device may hold ten thousand, which nobody looks through. */
  private final Map<Source, DeviceBlock> blocks =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  /** Of blocks that are garbage on the heap. */
  private final ReferenceQueue<PackedBlock> collected = new ReferenceQueue<>();

  private long bytes;
  private long requests;

  /** A block on the heap as a key: the same object, whatever it holds. */
  private static final class Source extends WeakReference<PackedBlock> {
    private final int hash;

    Source(PackedBlock block, ReferenceQueue<PackedBlock> collected) {
      super(block, collected);
      hash = System.identityHashCode(block);
    }

    @Override
    public boolean equals(Object other) {
      if (this == other) {
        return true;
      }
      PackedBlock block = get();
      return block != null && other instanceof Source source && source.refersTo(block);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** A block on the device, all parts in one allocation; in use until {@link #release}. */
  final class DeviceBlock {
    private final Source source;
    private final long labelsAt;

    /** Of sparse rows, as {@link #startsAt}; 0 of dense ones. */
    private final long indicesAt;

    private final long startsAt;

    /** To allocate. */
    private final long length;

    /** 0 where nothing is allocated. */
    private long pointer;

    /** Those that wait for the copy, too. */
    private int users;

    private long lastRequest;
    private boolean isBeingCopied = true;

    /** Why the copy has ended without the block; null unless it has. */
    private Throwable failure;

    private DeviceBlock(PackedBlock block) {
      source = new Source(block, collected);
      boolean isSparse = block instanceof SparseBlock;
      long count =
          block instanceof SparseBlock sparse
              ? sparse.indices().length
              : ((DenseBlock) block).values().length - DenseBlock.START;
      labelsAt = roundUp(count * (isSingle ? Float.BYTES : Double.BYTES), ALIGNMENT);
      long labelsEnd = labelsAt + (long) block.rows() * Double.BYTES;
      indicesAt = isSparse ? roundUp(labelsEnd, ALIGNMENT) : 0;
      startsAt = isSparse ? roundUp(indicesAt + count * Integer.BYTES, ALIGNMENT) : 0;
      length = isSparse ? startsAt + (block.rows() + 1L) * Integer.BYTES : labelsEnd;
    }

    /** What it takes of the device. */
    private long bytes() {
      return roundUp(length, PAGE_BYTES);
    }

    /** The values, in the device's precision. */
    long values() {
      return pointer;
    }

    /** A double for each row. */
    long labels() {
      return pointer + labelsAt;
    }

    /** Of sparse rows; 0 of dense ones. */
    long indices() {
      return indicesAt == 0 ? 0 : pointer + indicesAt;
    }

    /** Of sparse rows; 0 of dense ones. */
    long starts() {
      return startsAt == 0 ? 0 : pointer + startsAt;
    }

    /** Gives it back to the cache. */
    void release() {
      synchronized (DeviceBlocks.this) {
        users--;
      }
    }
  }

  /**
   * @param limit bytes of device memory, in whole pages of which blocks are counted
   * @param isSingle whether values become floats
   */
  DeviceBlocks(CudaDriver driver, long limit, boolean isSingle) {
    this.driver = driver;
    this.limit = limit;
    this.isSingle = isSingle;
  }

  /**
   * The block on the device, copied there if it is not. Waits where another task copies it.
   *
   * @param staging by which to copy
   * @throws CudaException also where there is no room beside the blocks in use, and where the copy
   *     that it waited for has failed
   */
  DeviceBlock acquire(PackedBlock block, Staging staging) {
    DeviceBlock own;
    synchronized (this) {
      dropCollected();
      requests++;
      DeviceBlock found = blocks.get(new Source(block, /* collected= */ null));
      if (found != null) {
        found.users++;
        found.lastRequest = requests;
        awaitCopy(found);
        return found;
      }
      own = reserve(block);
    }
    copy(own, block, staging);
    return own;
  }

  /** Interrupted, too: the copy ends soon, and its thread is another one. */
  private synchronized void awaitCopy(DeviceBlock found) {
    boolean isInterrupted = false;
    while (found.isBeingCopied) {
      try {
        wait();
      } catch (InterruptedException ending) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    if (found.failure instanceof CudaException failed) {
      throw failed;
    }
    if (found.failure != null) {
      throw new CudaException(found.failure);
    }
  }

  /**
   * Frees the least recently used block that nobody uses, for what a computation needs beside its
   * block; false if there is none.
   */
  synchronized boolean giveUpOne() {
    for (Iterator<DeviceBlock> each = blocks.values().iterator(); each.hasNext(); ) {
      DeviceBlock block = each.next();
      if (block.users == 0) {
        each.remove();
        free(block);
        return true;
      }
    }
    return false;
  }

  /** Bytes that blocks take of the device: a multiple of {@link #PAGE_BYTES}. */
  synchronized long bytes() {
    return bytes;
  }

  /** Frees all. */
  synchronized void close() {
    for (Iterator<DeviceBlock> each = blocks.values().iterator(); each.hasNext(); ) {
      DeviceBlock block = each.next();
      each.remove();
      free(block);
    }
  }

  private void dropCollected() {
    for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
      DeviceBlock block = blocks.remove(gone);
      if (block != null) { // nobody uses it: a request holds its block on the heap
        free(block);
      }
    }
  }

  /** Counts the block, and lets others wait for it. */
  private DeviceBlock reserve(PackedBlock block) {
    DeviceBlock own = new DeviceBlock(block);
    while (bytes + own.bytes() > limit) {
      evict(own.bytes());
    }
    bytes += own.bytes();
    own.users = 1;
    own.lastRequest = requests;
    blocks.put(own.source, own);
    return own;
  }

  /**
   * Without the lock, but to allocate: of many blocks that are copied, many tasks copy one each.
   */
  private void copy(DeviceBlock own, PackedBlock block, Staging staging) {
    try {
      own.pointer = allocate(own.length);
      fill(own, block, staging);
    } catch (RuntimeException | Error failed) {
      own.failure = failed;
      throw failed;
    } finally {
      endCopy(own);
    }
  }

  private synchronized void endCopy(DeviceBlock own) {
    own.isBeingCopied = false;
    notifyAll();
    if (own.failure != null) {
      blocks.remove(own.source);
      free(own);
    }
  }

  private void fill(DeviceBlock copied, PackedBlock block, Staging staging) {
    double[] labels = new double[block.rows()];
    block.copyLabels(0, labels.length, labels);
    boolean isSparse = block instanceof SparseBlock;
    double[] values = isSparse ? ((SparseBlock) block).values() : ((DenseBlock) block).values();
    int first = isSparse ? 0 : DenseBlock.START;
    if (isSingle) {
      staging.copyAsFloats(values, first, copied.values());
    } else {
      staging.copy(values, first, copied.values());
    }
    staging.copy(labels, copied.labels());
    if (block instanceof SparseBlock sparse) {
      staging.copy(sparse.indices(), copied.indices());
      staging.copy(sparse.rowStarts(), copied.starts());
    }
  }

  /** Others may use the device, too: what it refuses is tried again with less in the cache. */
  private synchronized long allocate(long wanted) {
    while (true) {
      try {
        return driver.allocate(wanted);
      } catch (CudaException refused) {
        if (!refused.isOutOfMemory()) {
          throw refused;
        }
        evict(wanted);
      }
    }
  }

  private void evict(long wanted) {
    for (Iterator<DeviceBlock> each = blocks.values().iterator(); each.hasNext(); ) {
      DeviceBlock block = each.next();
      if (requests - block.lastRequest <= 2L * blocks.size()) {
        break; // and no later one was asked for before it
      }
      if (block.users == 0) {
        each.remove();
        free(block);
        return;
      }
    }
    throw CudaException.noRoom(wanted, limit);
  }

  private void free(DeviceBlock block) {
    bytes -= block.bytes();
    if (block.pointer != 0) {
      driver.free(block.pointer);
    }
  }

  private static long roundUp(long number, long multiple) {
    return (number + multiple - 1) / multiple * multiple;
  }
}
