package io.sparkata.training;

import breeze.generic.UFunc;
import breeze.linalg.DenseVector;
import breeze.linalg.norm$;
import breeze.linalg.operators.HasOps$;
import java.util.Arrays;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;

/**
 * MLlib's convergence check, to the last bit. MLlib uses Breeze's norm, which boxes each number, so
 * it is asked only where rounding could decide.
 */
final class Convergence {
  /** Relative; far above the rounding of a norm. */
  private static final double NEAR = 1e-6;

  private Convergence() {}

  /** Whether |current - previous| is less than the tolerance times max(|current|, 1). */
  static boolean isReached(Vector previous, Vector current, double tolerance) {
    double distance = Math.sqrt(Vectors.sqdist(previous, current));
    double bound = tolerance * Math.max(Vectors.norm(current, 2), 1.0);
    if (Math.abs(distance - bound) > NEAR * Math.max(distance, bound)) {
      return distance < bound;
    }
    double[] difference = current.toArray().clone();
    Arrays.setAll(difference, i -> difference[i] - previous.apply(i));
    return breezeNorm(difference) < tolerance * Math.max(breezeNorm(current.toArray()), 1.0);
  }

  /** The 2-norm of a vector by Breeze. */
  static double breezeNorm(double[] values) {
    norm$ norm = norm$.MODULE$;
    UFunc.UImpl<norm$, DenseVector<Object>, Object> implementation =
        norm.normDoubleToNormalNorm(
            norm.canNorm(HasOps$.MODULE$.<Object>DV_canIterateValues(), norm.scalarNorm_Double()));
    return (Double) implementation.apply(new DenseVector<Object>(values));
  }
}
