package io.sparkata.cuda;

import io.sparkata.blocks.PackedBlock;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A cache of packed blocks in device memory, up to a limit. The key is the block's identity: while
 * Spark keeps a block, its readers get the same object. A block that is garbage on the heap is
 * freed at the next request. Thread-safe; the device's context must be current.
 *
 * <p>A new block that does not fit replaces the least recently used block only if that block was
 * not among the last 2n requests, with n blocks held. Rounds request the same blocks repeatedly, so
 * plain LRU would copy every block in every round.
 */
final class DeviceBlocks {
  /**
   * A block counts as a multiple of this: above 1 MiB cuMemAlloc takes whole pages of 2 MiB.
   * Smaller blocks may share a page, and then count too much.
   */
  static final long PAGE_BYTES = 2L << 20;

  private final CudaDriver driver;
  private final long limit;
  private final boolean isSingle;

  /** Least recently used first. A device may hold ten thousand blocks. */
  private final Map<Source, CachedBlock> blocks =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  /** Keys of blocks that are garbage on the heap. */
  private final ReferenceQueue<PackedBlock> collected = new ReferenceQueue<>();

  private long bytes;
  private long requests;

  /** A block on the heap as a key, by identity. */
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

  /** A block of the cache. It stays on the device until every user has released it. */
  final class CachedBlock {
    private final Source source;
    private final DeviceBlock layout;

    /** Completed by the task that copies the block. */
    private final CompletableFuture<DeviceBlock> copied = new CompletableFuture<>();

    /** Tasks that copy, wait for or read the block. */
    private int users;

    private long lastRequest;

    private CachedBlock(PackedBlock block) {
      source = new Source(block, collected);
      layout = DeviceBlock.layout(block, isSingle);
    }

    private long pageBytes() {
      return DeviceBlock.roundUp(layout.bytes(), PAGE_BYTES);
    }

    DeviceBlock onDevice() {
      try {
        return copied.join();
      } catch (CompletionException failed) {
        throw failed.getCause() instanceof CudaException known
            ? known
            : new CudaException(failed.getCause());
      }
    }

    void release() {
      synchronized (DeviceBlocks.this) {
        users--;
      }
    }
  }

  /**
   * @param limit bytes of device memory; blocks count in whole pages
   * @param isSingle whether values become floats
   */
  DeviceBlocks(CudaDriver driver, long limit, boolean isSingle) {
    this.driver = driver;
    this.limit = limit;
    this.isSingle = isSingle;
  }

  /**
   * Returns the block on the device; the caller must release it. Copies it if it is not there, and
   * waits if another task is copying it. Requests for other blocks do not wait.
   *
   * @throws CudaException if the driver fails, if the blocks in use leave too little memory, or if
   *     the copy by another task has failed
   */
  CachedBlock acquire(PackedBlock block, Staging staging) {
    CachedBlock cached;
    boolean isNew;
    synchronized (this) {
      dropCollected();
      requests++;
      cached = blocks.get(new Source(block, /* collected= */ null));
      isNew = cached == null;
      if (isNew) {
        cached = reserve(block);
      }
      cached.users++;
      cached.lastRequest = requests;
    }
    if (isNew) {
      copy(cached, block, staging);
    }
    cached.onDevice();
    return cached;
  }

  private void dropCollected() {
    for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
      CachedBlock block = blocks.remove(gone);
      if (block != null) { // unused: a request keeps its block reachable on the heap
        free(block);
      }
    }
  }

  private CachedBlock reserve(PackedBlock block) {
    CachedBlock reserved = new CachedBlock(block);
    while (bytes + reserved.pageBytes() > limit) {
      if (!freeOne(latestToEvict())) {
        throw CudaException.noRoom(reserved.pageBytes(), limit);
      }
    }
    bytes += reserved.pageBytes();
    blocks.put(reserved.source, reserved);
    return reserved;
  }

  private void copy(CachedBlock own, PackedBlock block, Staging staging) {
    long pointer = 0;
    try {
      pointer = allocateForBlock(own.layout.bytes());
      DeviceBlock there = own.layout.at(pointer);
      there.fill(block, isSingle, staging);
      own.copied.complete(there);
    } catch (RuntimeException | Error failed) {
      synchronized (this) {
        own.copied.completeExceptionally(failed);
        blocks.remove(own.source);
        bytes -= own.pageBytes();
        if (pointer != 0) {
          driver.free(pointer);
        }
      }
      throw failed;
    }
  }

  private synchronized long allocateForBlock(long wanted) {
    return allocate(wanted, latestToEvict());
  }

  /** Allocates memory for anything else, if necessary by freeing unused blocks. */
  synchronized long allocate(long wanted) {
    return allocate(wanted, /* latest= */ Long.MAX_VALUE);
  }

  /**
   * Other programs may use the device too. If the driver has no memory, frees blocks and tries
   * again.
   */
  private long allocate(long wanted, long latest) {
    while (true) {
      try {
        return driver.allocate(wanted);
      } catch (CudaException refused) {
        if (!refused.isOutOfMemory() || !freeOne(latest)) {
          throw refused;
        }
      }
    }
  }

  private long latestToEvict() {
    return requests - 2L * blocks.size() - 1;
  }

  /**
   * Frees the least recently used block that is not in use.
   *
   * @param latest the last request after which a block may be freed
   * @return false if there is no such block
   */
  private boolean freeOne(long latest) {
    for (Iterator<CachedBlock> each = blocks.values().iterator(); each.hasNext(); ) {
      CachedBlock block = each.next();
      if (block.lastRequest > latest) {
        return false; // all others were requested later
      }
      if (block.users == 0) {
        each.remove();
        free(block);
        return true;
      }
    }
    return false;
  }

  private void free(CachedBlock block) {
    bytes -= block.pageBytes();
    driver.free(block.onDevice().values());
  }

  /** Bytes of device memory that blocks take, a multiple of {@link #PAGE_BYTES}. */
  synchronized long bytes() {
    return bytes;
  }

  /** Frees all blocks that are not in use. */
  synchronized void close() {
    while (freeOne(/* latest= */ Long.MAX_VALUE)) {}
  }
}
