package io.sparkata.testing;

import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.util.LongAccumulator;

/** A user's gradient that counts its rows in an accumulator. */
public final class CountingGradient extends Gradient {
  private static final long serialVersionUID = 1L;

  private final Gradient logistic = new LogisticGradient();
  private final LongAccumulator rows;

  public CountingGradient(LongAccumulator rows) {
    this.rows = rows;
  }

  @Override
  public double compute(Vector features, double label, Vector weights, Vector sum) {
    rows.add(1);
    return logistic.compute(features, label, weights, sum);
  }
}
