package io.sparkata.spark;

import java.util.function.Supplier;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.SquaredL2Updater;

/**
 * Loads the classes of Breeze on a thread of its own while others wait for jobs: MLlib's optimizers
 * need them next, and the driver takes more than a second for them. Once per JVM.
 */
public final class BreezeLoading {
  private static final long MOST_MILLIS = 10_000;

  private static Thread loading;
  static boolean isOver;

  private BreezeLoading() {}

  /** Whether they are not loaded yet. */
  public static synchronized boolean isDue() {
    return !isOver;
  }

  /** Runs a job, and waits until they are loaded if they are due. */
  public static <T> T during(Supplier<T> job) {
    if (!isDue()) {
      return job.get();
    }
    Thread thread = loading();
    try {
      return job.get();
    } finally {
      await(thread);
    }
  }

  private static synchronized Thread loading() {
    if (loading == null) {
      Vector any = Vectors.zeros(1);
      loading =
          new Thread(
              () -> new SquaredL2Updater().compute(any, any, 0, /* iter= */ 1, /* regParam= */ 0),
              "spark-ata-breeze");
      loading.setDaemon(true);
      loading.start();
    }
    return loading;
  }

  /** Two threads that initialise the same classes may block each other. */
  private static void await(Thread thread) {
    try {
      thread.join(MOST_MILLIS);
      end();
    } catch (InterruptedException cancelled) {
      Thread.currentThread().interrupt(); // the next job finds out
    }
  }

  /** Once only, even if the classes have not come. */
  private static synchronized void end() {
    isOver = true;
    loading = null;
  }
}
