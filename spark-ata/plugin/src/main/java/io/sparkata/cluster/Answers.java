package io.sparkata.cluster;

import io.sparkata.spark.LifeSigns;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.spark.SparkContext;

/** Which executors have answered the last question for a sign of life. Thread-safe. */
final class Answers {
  /** An executor with a tenth of a core answers within this time. */
  private static final long SIGN_NANOS = TimeUnit.SECONDS.toNanos(3);

  private Map<String, BooleanSupplier> signs = Map.of();
  private long asked; // nanoseconds
  private boolean mustAsk;

  /** Whether it has, so far; if the last question is too old, false until the next is answered. */
  synchronized boolean has(String executorId) {
    mustAsk = signs.isEmpty() || System.nanoTime() - asked > SIGN_NANOS;
    return !mustAsk && signs.getOrDefault(executorId, () -> false).getAsBoolean();
  }

  /** Asks all executors, if {@link #has} needs it. Not while Spark's scheduler is locked. */
  void ask(SparkContext context) {
    synchronized (this) {
      if (!mustAsk) {
        return;
      }
      mustAsk = false;
      asked = System.nanoTime();
    }
    Map<String, BooleanSupplier> now = LifeSigns.ask(context);
    synchronized (this) {
      signs = now;
    }
  }
}
