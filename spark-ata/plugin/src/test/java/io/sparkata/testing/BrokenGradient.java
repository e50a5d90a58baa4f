package io.sparkata.testing;

import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;

/** A user's gradient with a bug. */
public final class BrokenGradient extends Gradient {
  /** What it throws. */
  public static final String MESSAGE = "the user's gradient has a bug";

  private static final long serialVersionUID = 1L;

  @Override
  public double compute(Vector features, double label, Vector weights, Vector sum) {
    throw new ArithmeticException(MESSAGE);
  }
}
