package io.sparkata;

import io.sparkata.config.AtaConf;
import io.sparkata.training.Trainer;
import io.sparkata.training.Training;
import java.util.Optional;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/**
 * MLlib's {@link GradientDescent}, which allocates the samples of each iteration to executors by
 * their measured speed. The weights are MLlib's up to rounding. If the plugin is not on, MLlib
 * runs.
 */
public class AtaGradientDescent extends GradientDescent {
  private static final long serialVersionUID = 1L;

  /** MLlib's default of the overload without a tolerance. */
  private static final double DEFAULT_CONVERGENCE_TOL = 0.001;

  private Gradient gradient;
  private Updater updater;
  private double stepSize = 1.0;
  private int numIterations = 100;
  private double regParam = 0.0;
  private double miniBatchFraction = 1.0;
  private double convergenceTol = DEFAULT_CONVERGENCE_TOL;
  private String policy;

  /** With MLlib's defaults for everything else. */
  public AtaGradientDescent(Gradient gradient, Updater updater) {
    super(gradient, updater);
    this.gradient = gradient;
    this.updater = updater;
  }

  // MLlib's fields are private: each setter calls MLlib's, which checks the value, then keeps a
  // copy.

  @Override
  public AtaGradientDescent setStepSize(double step) {
    super.setStepSize(step);
    stepSize = step;
    return this;
  }

  @Override
  public AtaGradientDescent setMiniBatchFraction(double fraction) {
    super.setMiniBatchFraction(fraction);
    miniBatchFraction = fraction;
    return this;
  }

  @Override
  public AtaGradientDescent setNumIterations(int iterations) {
    super.setNumIterations(iterations);
    numIterations = iterations;
    return this;
  }

  @Override
  public AtaGradientDescent setRegParam(double parameter) {
    super.setRegParam(parameter);
    regParam = parameter;
    return this;
  }

  @Override
  public AtaGradientDescent setConvergenceTol(double tolerance) {
    super.setConvergenceTol(tolerance);
    convergenceTol = tolerance;
    return this;
  }

  @Override
  public AtaGradientDescent setGradient(Gradient newGradient) {
    super.setGradient(newGradient);
    gradient = newGradient;
    return this;
  }

  @Override
  public AtaGradientDescent setUpdater(Updater newUpdater) {
    super.setUpdater(newUpdater);
    updater = newUpdater;
    return this;
  }

  /**
   * Chooses the allocation policy of this optimizer instead of {@code spark.ata.policy}.
   *
   * @param idOrClassName as in {@code spark.ata.policy}; null for the configured one
   * @throws IllegalArgumentException naming the known policies
   */
  public AtaGradientDescent setPolicy(String idOrClassName) {
    if (idOrClassName != null) {
      AtaConf.checkPolicy(idOrClassName);
    }
    policy = idOrClassName;
    return this;
  }

  @Override
  public Vector optimize(RDD<Tuple2<Object, Vector>> data, Vector initialWeights) {
    return optimizeWithLossReturned(data, initialWeights)._1();
  }

  @Override
  public Tuple2<Vector, double[]> optimizeWithLossReturned(
      RDD<Tuple2<Object, Vector>> data, Vector initialWeights) {
    Training training =
        new Training(
            data,
            gradient,
            updater,
            stepSize,
            numIterations,
            regParam,
            miniBatchFraction,
            initialWeights,
            convergenceTol);
    return Trainer.run(training, Optional.ofNullable(policy));
  }

  /** As {@link GradientDescent#runMiniBatchSGD}, through Spark ATA. */
  public static Tuple2<Vector, double[]> runMiniBatchSGD(
      RDD<Tuple2<Object, Vector>> data,
      Gradient gradient,
      Updater updater,
      double stepSize,
      int numIterations,
      double regParam,
      double miniBatchFraction,
      Vector initialWeights,
      double convergenceTol) {
    AtaGradientDescent descent = new AtaGradientDescent(gradient, updater);
    descent.stepSize = stepSize; // not by the setters: MLlib's method checks no argument either
    descent.numIterations = numIterations;
    descent.regParam = regParam;
    descent.miniBatchFraction = miniBatchFraction;
    descent.convergenceTol = convergenceTol;
    return descent.optimizeWithLossReturned(data, initialWeights);
  }

  /** As above, with MLlib's default tolerance of 0.001. */
  public static Tuple2<Vector, double[]> runMiniBatchSGD(
      RDD<Tuple2<Object, Vector>> data,
      Gradient gradient,
      Updater updater,
      double stepSize,
      int numIterations,
      double regParam,
      double miniBatchFraction,
      Vector initialWeights) {
    return runMiniBatchSGD(
        data,
        gradient,
        updater,
        stepSize,
        numIterations,
        regParam,
        miniBatchFraction,
        initialWeights,
        DEFAULT_CONVERGENCE_TOL);
  }
}
