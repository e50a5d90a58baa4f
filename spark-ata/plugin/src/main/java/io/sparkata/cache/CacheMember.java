package io.sparkata.cache;

import io.sparkata.gate.Trouble;
import io.sparkata.spark.CachedBlocks;
import io.sparkata.spark.DriverLine;
import io.sparkata.spark.ExecutorInternals;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor's part in {@link CacheMoves}: a thread that asks the driver for orders and carries
 * them out. It never takes a task's slot and copies into free storage memory only.
 */
public final class CacheMember implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheMember.class);
  private static final long ASK_SECONDS = 30;
  private static final long PAUSE_MILLIS = 1000;

  private final Thread thread;
  private volatile boolean isClosed;

  private CacheMember() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader(); // sees the user's classes
    thread = new Thread(this::run, "spark-ata-cache");
    thread.setDaemon(true);
    thread.setContextClassLoader(loader);
  }

  /** Starts the thread. */
  public static CacheMember start() {
    CacheMember member = new CacheMember();
    member.thread.start();
    return member;
  }

  private void run() {
    Object[] report = {ExecutorInternals.executorId()};
    while (!isClosed) {
      try {
        Object[] order = DriverLine.to(CacheMoves.NAME).ask(report, ASK_SECONDS, () -> isClosed);
        report = order == null ? report : follow(order);
      } catch (InterruptedException closed) {
        return;
      } catch (TimeoutException nothingToDo) {
        report = new Object[] {ExecutorInternals.executorId()};
      } catch (Throwable error) {
        Trouble.rethrowFatal(error);
        LOG.debug("Spark ATA: the driver has no orders for cached blocks", error);
        pause();
      }
    }
  }

  private static Object[] follow(Object[] order) {
    long start = System.nanoTime();
    boolean isDone = false;
    try {
      if (order[0].equals(CacheMoves.COPY)) {
        isDone =
            CachedBlocks.copy(
                (Integer) order[1],
                (Integer) order[2],
                (Long) order[3],
                (Boolean) order[4],
                (byte[]) order[5]);
      } else if (order[0].equals(CacheMoves.DROP)) {
        isDone = CachedBlocks.drop((Integer) order[1], (Integer) order[2]);
      }
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      LOG.debug("Spark ATA: cannot {} a cached block", order[0], error);
    }
    return new Object[] {
      ExecutorInternals.executorId(),
      isDone ? CacheMoves.DONE : CacheMoves.FAILED,
      System.nanoTime() - start
    };
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
  }
}
