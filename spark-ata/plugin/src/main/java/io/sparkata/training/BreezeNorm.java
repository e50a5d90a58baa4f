package io.sparkata.training;

import breeze.generic.UFunc;
import breeze.linalg.DenseVector;
import breeze.linalg.norm$;
import breeze.linalg.operators.HasOps$;

/** Breeze's norm, so that the convergence check equals MLlib's to the last bit. */
final class BreezeNorm {
  private BreezeNorm() {}

  /** The 2-norm of a vector. */
  static double euclidean(double[] values) {
    norm$ norm = norm$.MODULE$;
    UFunc.UImpl<norm$, DenseVector<Object>, Object> implementation =
        norm.normDoubleToNormalNorm(
            norm.canNorm(HasOps$.MODULE$.<Object>DV_canIterateValues(), norm.scalarNorm_Double()));
    return (Double) implementation.apply(new DenseVector<Object>(values));
  }
}
