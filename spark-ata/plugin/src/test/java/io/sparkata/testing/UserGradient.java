package io.sparkata.testing;

import org.apache.spark.mllib.linalg.BLAS;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;

/** A gradient that a user might write: Huber loss, which no kernel of ours knows. */
public final class UserGradient extends Gradient {
  private static final long serialVersionUID = 1L;

  @Override
  public double compute(Vector features, double label, Vector weights, Vector sum) {
    double difference = BLAS.dot(features, weights) - label;
    double clipped = Math.max(-1, Math.min(1, difference));
    BLAS.axpy(clipped, features, sum);
    return clipped * difference - clipped * clipped / 2;
  }
}
