package io.sparkata.testing;

import org.apache.spark.TaskContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;

/** A user's gradient that throws in jobs of a thread that has set {@link #PROPERTY}. */
public final class ObedientGradient extends Gradient {
  /** A local property, with any value. */
  public static final String PROPERTY = "spark.ata.test.gradient";

  /** What it throws. */
  public static final String MESSAGE = "the user's gradient has a bug in this evaluation";

  private static final long serialVersionUID = 1L;

  private final Gradient logistic = new LogisticGradient();

  @Override
  public double compute(Vector features, double label, Vector weights, Vector sum) {
    if (TaskContext.get().getLocalProperty(PROPERTY) != null) {
      throw new ArithmeticException(MESSAGE);
    }
    return logistic.compute(features, label, weights, sum);
  }
}
