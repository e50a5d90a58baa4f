package io.sparkata.blocks;

import io.sparkata.blocks.BlockStore.Source;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches blocks on this executor while no task of a round runs here, so that the rounds do not
 * wait for them. A task that starts meanwhile finds at most one fetch under way. Executors only,
 * thread-safe; one thread, which ends when nothing is left to fetch.
 */
public final class BlockMover {
  private static final Logger LOG = LoggerFactory.getLogger(BlockMover.class);
  private static final BlockMover OF_THIS_EXECUTOR = new BlockMover(BlockStore::fetch);

  /** Without a task for so long the training has ended, or gives this executor nothing to do. */
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private final Function<BlockRef, Source> fetch;
  private final Deque<BlockRef> wanted = new ArrayDeque<>();
  private int tasks;
  private long lastTask;
  private boolean isRunning;
  private boolean isWarm;
  private Moved moved = Moved.NOTHING;

  /**
   * What was fetched.
   *
   * @param blocks all that are kept here
   * @param bytes of these blocks
   * @param coldBytes of them, those of the first fetch of all, which loads classes
   * @param nanos of all fetches but that one
   */
  public record Moved(int blocks, long bytes, long coldBytes, long nanos) {
    static final Moved NOTHING = new Moved(0, 0, 0, 0);
  }

  /**
   * @param fetch see {@link BlockStore#fetch}
   */
  BlockMover(Function<BlockRef, Source> fetch) {
    this.fetch = fetch;
  }

  public static BlockMover get() {
    return OF_THIS_EXECUTOR;
  }

  /** A task of a round starts: no fetch begins before it has ended. */
  public synchronized void taskStarts() {
    tasks++;
  }

  /** The task has ended. */
  public synchronized void taskEnds() {
    tasks--;
    lastTask = System.nanoTime();
    if (tasks == 0 && !wanted.isEmpty()) {
      work();
    }
  }

  /** Replaces what is still to be fetched, in this order; nothing leaves it as it is. */
  public synchronized void want(Collection<BlockRef> blocks) {
    if (!blocks.isEmpty()) {
      wanted.clear();
      wanted.addAll(blocks);
    }
  }

  /** What was fetched since the last call. */
  public synchronized Moved takeMoved() {
    Moved taken = moved;
    moved = Moved.NOTHING;
    return taken;
  }

  private void work() {
    if (isRunning) {
      return;
    }
    isRunning = true;
    Thread thread = new Thread(this::fetchAll, "spark-ata-moves");
    thread.setDaemon(true);
    thread.start();
  }

  private void fetchAll() {
    for (BlockRef block = next(); block != null; block = next()) {
      long start = System.nanoTime();
      Source source = null;
      try {
        source = fetch.apply(block);
      } catch (Exception | LinkageError error) { // the rows are read where they are
        LOG.debug("Spark ATA: cannot fetch {}", block.id(), error);
      }
      fetched(block, source, System.nanoTime() - start);
    }
  }

  private synchronized BlockRef next() {
    boolean isLate = System.nanoTime() - lastTask > PATIENCE_NANOS;
    BlockRef block = tasks > 0 || isLate ? null : wanted.poll();
    isRunning = block != null;
    return block;
  }

  private synchronized void fetched(BlockRef block, Source source, long nanos) {
    if (source == Source.FETCHED_AND_KEPT) {
      moved =
          new Moved(
              moved.blocks + 1,
              moved.bytes + block.bytes(),
              moved.coldBytes + (isWarm ? 0 : block.bytes()),
              moved.nanos + (isWarm ? nanos : 0));
      isWarm = true;
    } else if (source != Source.LOCAL) {
      wanted.clear(); // no room, or the sender is gone
    }
  }
}
