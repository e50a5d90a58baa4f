package io.sparkata.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;

/** A user's gradient with a bug, which throws always, or once a file is there. */
public final class BrokenGradient extends Gradient {
  /** What it throws. */
  public static final String MESSAGE = "the user's gradient has a bug";

  private static final long serialVersionUID = 1L;

  private final Gradient logistic = new LogisticGradient();
  private final String file; // null: always

  /** One that throws always. */
  public BrokenGradient() {
    this.file = null;
  }

  /** One of logistic loss until {@link #breakBy} is called. */
  public BrokenGradient(Path file) {
    this.file = file.toString();
  }

  /** From now on, gradients with this file throw. */
  public static void breakBy(Path file) {
    BlockingGradient.mark(file);
  }

  @Override
  public double compute(Vector features, double label, Vector weights, Vector sum) {
    if (file == null || Files.exists(Path.of(file))) {
      throw new ArithmeticException(MESSAGE);
    }
    return logistic.compute(features, label, weights, sum);
  }
}
