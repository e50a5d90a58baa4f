package io.sparkata.cache;

import io.sparkata.gate.Trouble;
import io.sparkata.spark.CachedBlocks;
import io.sparkata.spark.DriverLine;
import io.sparkata.spark.ExecutorInternals;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor's part in {@link CacheMoves}: a thread that asks the driver for orders, once a second
 * while there are none, and carries them out. It takes no task's slot, and copies into free storage
 * memory only.
 */
public final class CacheMember implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheMember.class);
  private static final long PAUSE_MILLIS = 1000;
  private static final long ASK_SECONDS = 60;

  private final Thread thread;
  private Object[] report; // of an order that the driver may not know to be carried out
  private volatile boolean isClosed;

  private CacheMember() {
    thread = new Thread(this::run, "spark-ata-cache");
    thread.setDaemon(true);
    // Of the executor: it knows the user's classes.
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
  }

  /** Starts the thread. */
  public static CacheMember start() {
    CacheMember member = new CacheMember();
    member.thread.start();
    return member;
  }

  private void run() {
    try {
      while (!isClosed) {
        carryOutAll();
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException closed) {
      LOG.debug("Spark ATA: no more orders for cached blocks");
    }
  }

  private void carryOutAll() throws InterruptedException {
    try {
      DriverLine driver = DriverLine.to(CacheMoves.NAME);
      String self = ExecutorInternals.executorId();
      Object[] order = ask(driver, self);
      while (order != null && !order[0].equals(CacheMoves.NONE)) {
        long nanos = carryOut(order);
        report = new Object[] {self, order[1], nanos >= 0, nanos};
        order = ask(driver, self);
      }
    } catch (InterruptedException closed) {
      throw closed;
    } catch (Throwable error) { // the driver is busy or ends
      Trouble.rethrowFatal(error);
      LOG.debug("Spark ATA: cannot get orders for cached blocks", error);
    }
  }

  private Object[] ask(DriverLine driver, String self)
      throws InterruptedException, TimeoutException {
    Object[] message = report != null ? report : new Object[] {self};
    Object[] order = driver.ask(message, ASK_SECONDS, () -> isClosed);
    report = null;
    return order;
  }

  /** Nanoseconds, of a probe those that a send would take; negative if it could not. */
  private static long carryOut(Object[] order) {
    int rdd = (Integer) order[2];
    int partition = (Integer) order[3];
    byte[] tag = (byte[]) order[6];
    long start = System.nanoTime();
    try {
      if (order[0].equals(CacheMoves.PROBE)) {
        return CachedBlocks.sendNanos(rdd, partition, tag);
      }
      boolean isDone =
          switch ((String) order[0]) {
            case CacheMoves.COPY ->
                CachedBlocks.copy(rdd, partition, (Long) order[4], (Integer) order[5], tag);
            case CacheMoves.DROP -> CachedBlocks.dropSpare(rdd, partition);
            default -> CachedBlocks.remove(rdd, partition);
          };
      return isDone ? System.nanoTime() - start : -1;
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      LOG.debug("Spark ATA: cannot {} partition {} of RDD {}", order[0], partition, rdd, error);
      return -1;
    }
  }

  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
  }
}
