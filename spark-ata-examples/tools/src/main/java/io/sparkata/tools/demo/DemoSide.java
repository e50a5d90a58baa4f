package io.sparkata.tools.demo;

import io.sparkata.AtaGradientDescent;
import java.util.Locale;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/** Who trains. All solve the same problem, every row in every iteration. */
enum DemoSide {
  /** Stock MLlib, one cached partition per slot. */
  MLLIB,
  /** Stock MLlib on eight partitions per slot, cached on the executors that made them. */
  MLLIB_PARTITIONED,
  UNIFORM,
  ADAPTIVE;

  /**
   * A model to train.
   *
   * @param gradient of the loss
   * @param size number of weights, all 0 at the start
   * @param convergenceTol training ends where an update changes the weights by less, relative to
   *     their norm; 0 for never
   */
  record Problem(
      Gradient gradient,
      int size,
      double step,
      double regParam,
      int iterations,
      double convergenceTol) {
    /** Logistic regression. */
    static Problem of(DemoSettings settings, int mostIterations, double convergenceTol) {
      return new Problem(
          new LogisticGradient(),
          settings.features().size(),
          settings.step(),
          settings.regParam(),
          mostIterations,
          convergenceTol);
    }

    Vector start() {
      return Vectors.dense(new double[size]);
    }

    Problem withGradient(Gradient other) {
      return new Problem(other, size, step, regParam, iterations, convergenceTol);
    }

    Problem withIterations(int other) {
      return new Problem(gradient, size, step, regParam, other, convergenceTol);
    }
  }

  /** The name in the table and in the JSON; for Spark ATA's sides the policy's id. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean isStock() {
    return this == MLLIB || this == MLLIB_PARTITIONED;
  }

  /** The weights and the loss before each update, then that after the last. */
  Tuple2<Vector, double[]> train(RDD<Tuple2<Object, Vector>> rows, Problem problem, Updater up) {
    if (isStock()) {
      return GradientDescent.runMiniBatchSGD(
          rows,
          problem.gradient(),
          up,
          problem.step(),
          problem.iterations(),
          problem.regParam(),
          /* miniBatchFraction= */ 1.0,
          problem.start(),
          problem.convergenceTol());
    }
    return new AtaGradientDescent(problem.gradient(), up)
        .setPolicy(id())
        .setStepSize(problem.step())
        .setNumIterations(problem.iterations())
        .setRegParam(problem.regParam())
        .setMiniBatchFraction(1.0)
        .setConvergenceTol(problem.convergenceTol())
        .optimizeWithLossReturned(rows, problem.start());
  }
}
