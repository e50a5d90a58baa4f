package io.sparkata.callers;

import io.sparkata.testing.TestData;
import io.sparkata.testing.UserGradient;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.L1Updater;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SimpleUpdater;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/** User code that names {@link GradientDescent} itself. */
final class DirectCallers {
  private static final int FEATURES = 10;
  private static final double STEP = 0.5;
  private static final double REG_PARAM = 0.01;
  private static final double NEVER = 0;

  private DirectCallers() {}

  static List<Caller> all() {
    return List.of(
        new Caller(
            "runMiniBatchSGD, 9 arguments",
            1,
            spark -> nine(rows(spark), new LogisticGradient(), new SquaredL2Updater(), 0.5)),
        new Caller("runMiniBatchSGD, 8 arguments", 1, spark -> eight(rows(spark))),
        new Caller(
            "runMiniBatchSGD, a user's gradient and updater",
            1,
            spark -> nine(rows(spark), new UserGradient(), new MomentumUpdater(), 0.3)),
        new Caller("runMiniBatchSGD, large model", 1, DirectCallers::large),
        new Caller("optimize, three classes", 1, DirectCallers::threeClasses),
        new Caller("optimizeWithLossReturned, cached", 1, DirectCallers::optimizerOnCachedData));
  }

  private static RDD<Tuple2<Object, Vector>> rows(JavaSparkContext spark) {
    List<Tuple2<Object, Vector>> rows = TestData.rows(400, FEATURES, /* sparse= */ false, 1);
    return TestData.unequalPartitions(spark, rows, Caller.sizes(rows.size()));
  }

  private static Tuple2<Vector, double[]> nine(
      RDD<Tuple2<Object, Vector>> rows, Gradient gradient, Updater updater, double fraction) {
    return GradientDescent.runMiniBatchSGD(
        rows,
        gradient,
        updater,
        STEP,
        Caller.ITERATIONS,
        REG_PARAM,
        fraction,
        Vectors.zeros(FEATURES),
        NEVER);
  }

  private static Tuple2<Vector, double[]> eight(RDD<Tuple2<Object, Vector>> rows) {
    return GradientDescent.runMiniBatchSGD(
        rows,
        new LeastSquaresGradient(),
        new L1Updater(),
        STEP,
        Caller.ITERATIONS,
        REG_PARAM,
        1.0,
        Vectors.zeros(FEATURES));
  }

  private static Tuple2<Vector, double[]> large(JavaSparkContext spark) {
    List<Tuple2<Object, Vector>> rows =
        TestData.rows(60, Caller.LARGE_MODEL, /* sparse= */ true, 2);
    return GradientDescent.runMiniBatchSGD(
        TestData.partitions(spark, rows, 4),
        new HingeGradient(),
        new SquaredL2Updater(),
        STEP,
        /* numIterations= */ 2,
        REG_PARAM,
        1.0,
        Vectors.zeros(Caller.LARGE_MODEL),
        NEVER);
  }

  private static Tuple2<Vector, double[]> threeClasses(JavaSparkContext spark) {
    List<Tuple2<Object, Vector>> rows = new ArrayList<>();
    for (Tuple2<Object, Vector> row : TestData.rows(300, FEATURES, /* sparse= */ true, 3)) {
      rows.add(new Tuple2<>((double) (rows.size() % 3), row._2()));
    }
    Vector weights =
        optimizer(new LogisticGradient(3))
            .optimize(TestData.partitions(spark, rows, 5), Vectors.zeros(2 * FEATURES));
    return new Tuple2<>(weights, new double[0]);
  }

  private static Tuple2<Vector, double[]> optimizerOnCachedData(JavaSparkContext spark) {
    RDD<Tuple2<Object, Vector>> rows = rows(spark).cache();
    try {
      return optimizer(new LeastSquaresGradient())
          .optimizeWithLossReturned(rows, Vectors.zeros(FEATURES));
    } finally {
      rows.unpersist(/* blocking= */ false);
    }
  }

  private static GradientDescent optimizer(Gradient gradient) {
    return new GradientDescent(gradient, new SimpleUpdater())
        .setStepSize(STEP)
        .setNumIterations(Caller.ITERATIONS)
        .setConvergenceTol(NEVER);
  }

  /** A user's updater, with state from one iteration to the next. */
  private static final class MomentumUpdater extends Updater {
    private static final long serialVersionUID = 1L;
    private double[] velocity;

    @Override
    public Tuple2<Vector, Object> compute(
        Vector old, Vector gradient, double stepSize, int iteration, double regParam) {
      double[] weights = old.toArray().clone();
      if (velocity == null) {
        velocity = new double[weights.length];
      }
      for (int i = 0; i < weights.length; i++) {
        velocity[i] = 0.9 * velocity[i] + gradient.apply(i);
        weights[i] -= stepSize * velocity[i];
      }
      return new Tuple2<>(Vectors.dense(weights), regParam * Vectors.norm(old, 1));
    }
  }
}
