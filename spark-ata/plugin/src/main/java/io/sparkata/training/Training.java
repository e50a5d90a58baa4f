package io.sparkata.training;

import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/**
 * The arguments of one {@code runMiniBatchSGD}, with MLlib's meanings.
 *
 * @param data (label, features) rows
 * @param gradient per-row gradient and loss
 * @param updater applied on the driver
 * @param stepSize initial step size
 * @param iterations number of updates; one more pass computes the last loss
 * @param regParam regularisation parameter
 * @param fraction expected share of the rows in a mini-batch
 * @param initialWeights the starting point, not changed
 * @param convergenceTol relative change of the weights below which training ends; 0 for never
 */
public record Training(
    RDD<Tuple2<Object, Vector>> data,
    Gradient gradient,
    Updater updater,
    double stepSize,
    int iterations,
    double regParam,
    double fraction,
    Vector initialWeights,
    double convergenceTol) {

  /** The arguments of MLlib's method, in its order. */
  @SuppressWarnings("unchecked") // the method's own signature
  static Training of(Object[] arguments) {
    return new Training(
        (RDD<Tuple2<Object, Vector>>) arguments[0],
        (Gradient) arguments[1],
        (Updater) arguments[2],
        (Double) arguments[3],
        (Integer) arguments[4],
        (Double) arguments[5],
        (Double) arguments[6],
        (Vector) arguments[7],
        (Double) arguments[8]);
  }

  /** The result of MLlib's method. */
  Tuple2<Vector, double[]> byMllib() {
    return GradientDescent.runMiniBatchSGD(
        data,
        gradient,
        updater,
        stepSize,
        iterations,
        regParam,
        fraction,
        initialWeights,
        convergenceTol);
  }

  /** Whether nothing is null. */
  boolean isComplete() {
    return data != null && gradient != null && updater != null && initialWeights != null;
  }

  /** The seed that MLlib gives {@code sample} in {@code iteration}, counted from 1. */
  public static long seedOf(int iteration) {
    return 42L + iteration;
  }
}
