package io.sparkata.testing;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkEnv;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;

/**
 * A user's gradient that gets slower on one executor. It sleeps, so that a busy machine changes it
 * little.
 */
public final class SlowingGradient extends Gradient {
  private static final long serialVersionUID = 1L;

  private static final long NANOS_PER_ROW = 100_000;
  private static final long SLOW_NANOS_PER_ROW = 800_000;

  /** In this JVM. */
  private static final AtomicLong ROWS = new AtomicLong();

  private final Gradient logistic = new LogisticGradient();
  private final String executor;
  private final long fastRows;

  /**
   * @param executor that gets slower
   * @param fastRows that it computes before
   */
  public SlowingGradient(String executor, long fastRows) {
    this.executor = executor;
    this.fastRows = fastRows;
  }

  @Override
  public double compute(Vector features, double label, Vector weights, Vector sum) {
    boolean isSlow =
        SparkEnv.get().executorId().equals(executor) && ROWS.incrementAndGet() > fastRows;
    LockSupport.parkNanos(isSlow ? SLOW_NANOS_PER_ROW : NANOS_PER_ROW);
    return logistic.compute(features, label, weights, sum);
  }
}
