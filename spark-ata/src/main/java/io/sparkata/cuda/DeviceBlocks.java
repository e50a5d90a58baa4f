package io.sparkata.cuda;

import io.sparkata.data.DenseBlock;
import io.sparkata.data.PackedBlock;
import io.sparkata.data.SparseBlock;
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
 * by identity: while Spark keeps a block, its readers get the same object. Thread-safe; the
 * device's context must be current.
 */
final class DeviceBlocks {
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

  /** A block on the device, in use until {@link #release}. */
  final class DeviceBlock {
    private final Source source;
    private final long bytes;
    private long values;
    private long labels;
    private long indices;
    private long starts;
    private int users;
    private long lastRequest;

    private DeviceBlock(PackedBlock source, long bytes) {
      this.source = new Source(source, collected);
      this.bytes = bytes;
    }

    /** The values, in the device's precision. */
    long values() {
      return values;
    }

    /** A double for each row. */
    long labels() {
      return labels;
    }

    /** Of sparse rows. */
    long indices() {
      return indices;
    }

    /** Of sparse rows. */
    long starts() {
      return starts;
    }

    /** Gives it back to the cache. */
    void release() {
      synchronized (DeviceBlocks.this) {
        users--;
      }
    }
  }

  /**
   * @param limit bytes of device memory
   * @param isSingle whether values become floats
   */
  DeviceBlocks(CudaDriver driver, long limit, boolean isSingle) {
    this.driver = driver;
    this.limit = limit;
    this.isSingle = isSingle;
  }

  /**
   * The block on the device, copied there if it is not.
   *
   * @param staging by which to copy
   * @throws CudaException also where there is no room beside the blocks in use
   */
  synchronized DeviceBlock acquire(PackedBlock block, Staging staging) {
    dropCollected();
    requests++;
    DeviceBlock found = blocks.get(new Source(block, /* collected= */ null));
    if (found == null) {
      found = copy(block, staging);
      blocks.put(found.source, found);
    }
    found.users++;
    found.lastRequest = requests;
    return found;
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

  /** Bytes on the device. */
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

  private DeviceBlock copy(PackedBlock block, Staging staging) {
    long count =
        block instanceof SparseBlock sparse
            ? sparse.indices().length
            : ((DenseBlock) block).values().length;
    long valueBytes = count * (isSingle ? Float.BYTES : Double.BYTES);
    long labelBytes = (long) block.rows() * Double.BYTES;
    long indexBytes = block instanceof SparseBlock ? count * Integer.BYTES : 0;
    long startBytes = block instanceof SparseBlock ? (block.rows() + 1L) * Integer.BYTES : 0;
    DeviceBlock copied = new DeviceBlock(block, valueBytes + labelBytes + indexBytes + startBytes);
    while (bytes + copied.bytes > limit) {
      evict(copied.bytes);
    }
    bytes += copied.bytes;
    boolean isThere = false;
    try {
      copied.values = allocate(valueBytes);
      copied.labels = allocate(labelBytes);
      double[] labels = new double[block.rows()];
      block.copyLabels(0, labels.length, labels);
      double[] values =
          block instanceof SparseBlock sparse ? sparse.values() : ((DenseBlock) block).values();
      if (isSingle) {
        staging.copyAsFloats(values, copied.values);
      } else {
        staging.copy(values, copied.values);
      }
      staging.copy(labels, copied.labels);
      if (block instanceof SparseBlock sparse) {
        copied.indices = allocate(indexBytes);
        copied.starts = allocate(startBytes);
        staging.copy(sparse.indices(), copied.indices);
        staging.copy(sparse.rowStarts(), copied.starts);
      }
      isThere = true;
      return copied;
    } finally {
      if (!isThere) {
        free(copied);
      }
    }
  }

  /** Others may use the device, too: what it refuses is tried again with less in the cache. */
  private long allocate(long wanted) {
    while (true) {
      try {
        return driver.allocate(Math.max(1, wanted));
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
    bytes -= block.bytes;
    for (long pointer : new long[] {block.values, block.labels, block.indices, block.starts}) {
      if (pointer != 0) {
        driver.free(pointer);
      }
    }
  }
}
