package io.sparkata.lab.cnn;

import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/**
 * Adam (Kingma and Ba, arXiv 1412.6980, Algorithm 1) as MLlib's updater, without regularisation.
 * The step size stays what it is, unlike that of MLlib's own updaters. Holds the moments of one
 * training: a new training needs a new object. A copy goes on alike, since nothing but the
 * arguments and these moments decides; so the members of a ring may each have one.
 */
public final class AdamUpdater extends Updater {
  private static final long serialVersionUID = 1L;
  private static final double FIRST_DECAY = 0.9;
  private static final double SECOND_DECAY = 0.999;
  private static final double EPSILON = 1e-8;

  private final double[] first;
  private final double[] second;
  private int steps;

  /**
   * @param weights their number
   */
  public AdamUpdater(int weights) {
    first = new double[weights];
    second = new double[weights];
  }

  /** Returns the new weights and 0, the regularisation value. A step size of 0 is no step. */
  @Override
  public Tuple2<Vector, Object> compute(
      Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
    if (stepSize == 0) { // MLlib asks for the first regularisation value, before any gradient
      return new Tuple2<>(weights, 0.0);
    }
    steps++;
    double firstCorrection = 1 - Math.pow(FIRST_DECAY, steps);
    double secondCorrection = 1 - Math.pow(SECOND_DECAY, steps);
    double[] slope = gradient.toArray();
    double[] next = weights.toArray().clone();
    for (int i = 0; i < next.length; i++) {
      first[i] = FIRST_DECAY * first[i] + (1 - FIRST_DECAY) * slope[i];
      second[i] = SECOND_DECAY * second[i] + (1 - SECOND_DECAY) * slope[i] * slope[i];
      double deviation = Math.sqrt(second[i] / secondCorrection);
      next[i] -= stepSize * (first[i] / firstCorrection) / (deviation + EPSILON);
    }
    return new Tuple2<>(Vectors.dense(next), 0.0);
  }
}
