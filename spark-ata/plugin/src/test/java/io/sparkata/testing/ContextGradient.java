package io.sparkata.testing;

import org.apache.spark.TaskContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;

/** A user's gradient that reads its TaskContext, which a round by message has not. */
public final class ContextGradient extends Gradient {
  private static final long serialVersionUID = 1L;

  private final Gradient logistic = new LogisticGradient();

  @Override
  public double compute(Vector features, double label, Vector weights, Vector sum) {
    if (TaskContext.get().isInterrupted()) {
      throw new IllegalStateException("the task was killed");
    }
    return logistic.compute(features, label, weights, sum);
  }
}
