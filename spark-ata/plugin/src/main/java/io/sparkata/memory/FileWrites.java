package io.sparkata.memory;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Writes, or reads, on a daemon thread of its own, in order, so that a file system that does not
 * answer holds neither a training nor its model. The thread ends when nothing is left to write.
 * Thread-safe.
 */
public final class FileWrites {
  /** Seconds that {@link #await} and {@link #read} wait. */
  public static final int PATIENCE_SECONDS = 10;

  static final String NO_ANSWER = "no answer for " + PATIENCE_SECONDS + " s";

  private static final int MOST = 10_000;
  private static final long IDLE_MILLIS = 100;

  private final ThreadPoolExecutor thread;

  /**
   * @param name of the thread
   */
  public FileWrites(String name) {
    this.thread =
        new ThreadPoolExecutor(
            /* corePoolSize= */ 1,
            /* maximumPoolSize= */ 1,
            IDLE_MILLIS,
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(MOST),
            work -> daemon(name, work));
    this.thread.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(String name, Runnable work) {
    Thread made = new Thread(work, name);
    made.setDaemon(true);
    return made;
  }

  /**
   * Adds a write, which must handle its own failures.
   *
   * @throws java.util.concurrent.RejectedExecutionException if 10,000 wait
   */
  public void add(Runnable write) {
    thread.execute(write);
  }

  /**
   * Reads, after all that was added, and waits {@value #PATIENCE_SECONDS} s at most.
   *
   * @throws ExecutionException if it fails
   * @throws TimeoutException if there is no answer
   */
  <T> T read(Callable<T> read) throws ExecutionException, TimeoutException, InterruptedException {
    return thread.submit(read).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Waits until all that was added is written, {@value #PATIENCE_SECONDS} s at most; on an
   * interrupted thread, too, which stays interrupted.
   *
   * @return whether it is written
   */
  public boolean await() {
    boolean wasInterrupted = Thread.interrupted(); // the training was cancelled
    try {
      Future<?> last = thread.submit(() -> {});
      last.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (InterruptedException again) {
      wasInterrupted = true;
      return false;
    } catch (ExecutionException | TimeoutException | RuntimeException late) {
      return false;
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
