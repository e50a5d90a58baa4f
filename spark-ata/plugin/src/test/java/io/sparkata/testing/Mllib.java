package io.sparkata.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.AtaGradientDescent;
import io.sparkata.cluster.AtaRuntime;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/** One training, by MLlib or by Spark ATA, and how two are compared. */
public record Mllib(
    RDD<Tuple2<Object, Vector>> data,
    Gradient gradient,
    double fraction,
    int iterations,
    int size) {
  private static final double STEP = 0.5;
  private static final double REG_PARAM = 0.01;
  private static final double TOLERANCE = 1e-9;

  /** Logistic loss over dense rows, half of them in each iteration. */
  public static Mllib logistic(
      JavaSparkContext spark, int rows, int features, int partitions, int iterations) {
    return new Mllib(
        TestData.partitions(
            spark, TestData.rows(rows, features, /* sparse= */ false, 3), partitions),
        new LogisticGradient(),
        0.5,
        iterations,
        features);
  }

  /** The same with another gradient. */
  public Mllib with(Gradient other) {
    return new Mllib(data, other, fraction, iterations, size);
  }

  /** The same with another fraction. */
  public Mllib sampling(double share) {
    return new Mllib(data, gradient, share, iterations, size);
  }

  /**
   * The result of {@code use} on a context without the plugin, in this JVM. MLlib's samples depend
   * only on the partitions and the order of their rows. Its weights here are therefore, up to
   * rounding, those of any cluster, and take a fraction of the time. Closes the shared cluster;
   * there must be no other context.
   */
  public static <T> T stock(Function<JavaSparkContext, T> use) {
    TestCluster.closeShared();
    SparkConf conf =
        new SparkConf().setMaster("local[2]").setAppName("stock").set("spark.ui.enabled", "false");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      assertThat(AtaRuntime.of(spark.sc())).isEmpty();
      return use.apply(spark);
    } finally {
      TestCluster.forgetSessions();
    }
  }

  /** The same without a result. */
  public static void withStock(Consumer<JavaSparkContext> use) {
    stock(
        spark -> {
          use.accept(spark);
          return true;
        });
  }

  public Tuple2<Vector, double[]> trainByMllib() {
    return GradientDescent.runMiniBatchSGD(
        data,
        gradient,
        new SquaredL2Updater(),
        STEP,
        iterations,
        REG_PARAM,
        fraction,
        Vectors.zeros(size),
        0.0);
  }

  /**
   * The same by {@link AtaGradientDescent}.
   *
   * @param policy null for the configured one
   */
  public Tuple2<Vector, double[]> trainBySparkAta(String policy) {
    return trainBySparkAta(policy, new SquaredL2Updater());
  }

  /** The same with an updater that computes what SquaredL2Updater computes. */
  public Tuple2<Vector, double[]> trainBySparkAta(String policy, Updater updater) {
    return new AtaGradientDescent(gradient, updater)
        .setStepSize(STEP)
        .setNumIterations(iterations)
        .setRegParam(REG_PARAM)
        .setMiniBatchFraction(fraction)
        .setConvergenceTol(0.0)
        .setPolicy(policy)
        .optimizeWithLossReturned(data, Vectors.zeros(size));
  }

  /** Asserts ||w - w'|| <= 1e-9 max(||w||, 1), and the same history. */
  public static void assertSame(Tuple2<Vector, double[]> ours, Tuple2<Vector, double[]> mllibs) {
    assertThat(relativeDifference(ours._1(), mllibs._1())).isLessThanOrEqualTo(TOLERANCE);
    assertThat(ours._2()).hasSameSizeAs(mllibs._2());
    for (int i = 0; i < ours._2().length; i++) {
      assertThat(ours._2()[i])
          .isCloseTo(
              mllibs._2()[i],
              org.assertj.core.data.Offset.offset(
                  TOLERANCE * Math.max(1, Math.abs(mllibs._2()[i]))));
    }
    assertThat(Arrays.stream(mllibs._1().toArray()).anyMatch(w -> w != 0)).isTrue();
  }

  private static double relativeDifference(Vector ours, Vector mllibs) {
    return Math.sqrt(Vectors.sqdist(ours, mllibs)) / Math.max(1, Vectors.norm(mllibs, 2.0));
  }
}
