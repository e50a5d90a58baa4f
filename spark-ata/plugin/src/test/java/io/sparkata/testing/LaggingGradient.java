package io.sparkata.testing;

import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkEnv;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;

/** A user's gradient that is slow on one executor. */
public final class LaggingGradient extends Gradient {
  private static final long serialVersionUID = 1L;

  private final Gradient logistic = new LogisticGradient();
  private final String slowExecutor;
  private final long nanosPerRow;

  public LaggingGradient(String slowExecutor, long nanosPerRow) {
    this.slowExecutor = slowExecutor;
    this.nanosPerRow = nanosPerRow;
  }

  @Override
  public double compute(Vector features, double label, Vector weights, Vector sum) {
    if (SparkEnv.get().executorId().equals(slowExecutor)) {
      LockSupport.parkNanos(nanosPerRow);
    }
    return logistic.compute(features, label, weights, sum);
  }
}
