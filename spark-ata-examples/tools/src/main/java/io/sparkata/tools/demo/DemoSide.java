package io.sparkata.tools.demo;

import io.sparkata.AtaGradientDescent;
import java.util.Locale;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/** Who trains. All solve the same problem, every row in every iteration. */
enum DemoSide {
  MLLIB {
    @Override
    Tuple2<Vector, double[]> train(RDD<Tuple2<Object, Vector>> rows, Problem problem, Updater up) {
      return GradientDescent.runMiniBatchSGD(
          rows,
          new LogisticGradient(),
          up,
          problem.step(),
          problem.iterations(),
          problem.regParam(),
          /* miniBatchFraction= */ 1.0,
          problem.start(),
          /* convergenceTol= */ 0.0);
    }
  },
  UNIFORM,
  ADAPTIVE;

  /**
   * Logistic regression.
   *
   * @param size number of weights, all 0 at the start
   */
  record Problem(int size, double step, double regParam, int iterations) {
    Vector start() {
      return Vectors.dense(new double[size]);
    }

    Problem withIterations(int other) {
      return new Problem(size, step, regParam, other);
    }
  }

  /** The name in the table and in the JSON; for Spark ATA's sides the policy's id. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The weights and the loss before each update, then that after the last. */
  Tuple2<Vector, double[]> train(RDD<Tuple2<Object, Vector>> rows, Problem problem, Updater up) {
    return new AtaGradientDescent(new LogisticGradient(), up)
        .setPolicy(id())
        .setStepSize(problem.step())
        .setNumIterations(problem.iterations())
        .setRegParam(problem.regParam())
        .setMiniBatchFraction(1.0)
        .setConvergenceTol(0.0)
        .optimizeWithLossReturned(rows, problem.start());
  }
}
