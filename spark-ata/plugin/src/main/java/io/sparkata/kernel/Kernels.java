package io.sparkata.kernel;

import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;

/** Chooses the kernel of a gradient by its exact class, because a subclass may compute anything. */
public final class Kernels {
  private Kernels() {}

  /** The fastest kernel that computes what {@code gradient} computes. */
  public static GradientKernel of(Gradient gradient) {
    RowByRowKernel rowByRow = new RowByRowKernel(gradient);
    if (gradient.getClass() == LogisticGradient.class) {
      return isBinary(gradient)
          ? new MarginKernel(MarginLoss.LOGISTIC, rowByRow)
          : new MultinomialKernel(rowByRow);
    }
    if (gradient.getClass() == LeastSquaresGradient.class) {
      return new MarginKernel(MarginLoss.LEAST_SQUARES, rowByRow);
    }
    if (gradient.getClass() == HingeGradient.class) {
      return new MarginKernel(MarginLoss.HINGE, rowByRow);
    }
    return rowByRow;
  }

  /** The kind of that kernel, under which its speed is remembered. */
  public static String kindOf(Gradient gradient) {
    GradientKernel kernel = of(gradient);
    if (kernel instanceof MarginKernel margin) {
      return margin.lossName();
    }
    return kernel instanceof MultinomialKernel
        ? "multinomial"
        : "row by row " + gradient.getClass().getName();
  }

  /** What computes dense rows in this JVM, for the log. */
  public static String backend() {
    return DenseLoops.get().description();
  }

  /** MLlib rejects one weight for more than two classes. */
  private static boolean isBinary(Gradient logistic) {
    Vector one = Vectors.dense(new double[] {1.0});
    try {
      logistic.compute(one, 0.0, Vectors.dense(new double[1]), Vectors.dense(new double[1]));
      return true;
    } catch (IllegalArgumentException moreClasses) {
      return false;
    }
  }
}
