package io.sparkata.callers;

import com.example.BrokenGradient;
import io.sparkata.testing.TestData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/** A call of {@code runMiniBatchSGD} that makes MLlib say or throw something. */
final class Situation {
  private static final int FEATURES = 5;
  private static final int ROWS = 60;

  private final String name;
  private final int partitions;
  private Function<JavaSparkContext, RDD<Tuple2<Object, Vector>>> data = spark -> rows(spark, ROWS);
  private Gradient gradient = new LogisticGradient();
  private Updater updater = new SquaredL2Updater();
  private double step = 1;
  private int iterations = 4;
  private double fraction = 1;
  private Vector start = Vectors.zeros(FEATURES);
  private double tolerance;

  private Situation(int partitions, String name, Consumer<Situation> setting) {
    this.partitions = partitions;
    this.name = name;
    setting.accept(this);
  }

  /** All, on data of so many partitions. */
  static List<Situation> all(int partitions) {
    List<Situation> all = new ArrayList<>(said(partitions));
    all.addAll(thrown(partitions));
    return all;
  }

  private static List<Situation> said(int partitions) {
    return List.of(
        new Situation(partitions, "nothing special", call -> {}),
        new Situation(
            partitions,
            "mini-batches with a tolerance",
            call -> {
              call.fraction = 0.5;
              call.tolerance = 0.001;
            }),
        new Situation(partitions, "not all examples used", call -> call.fraction = 0.2),
        new Situation(partitions, "no rows", call -> call.data = spark -> call.rows(spark, 0)),
        new Situation(partitions, "no partitions", call -> call.data = Situation::noPartitions),
        new Situation(partitions, "too small a fraction", call -> call.fraction = 0.001),
        new Situation(
            partitions,
            "empty batches",
            call -> {
              call.fraction = 0.02;
              call.iterations = 30;
            }),
        new Situation(
            partitions,
            "convergence",
            call -> {
              call.gradient = new LeastSquaresGradient();
              call.iterations = 100;
              call.tolerance = 0.05;
            }),
        new Situation(partitions, "no iterations", call -> call.iterations = 0),
        new Situation(partitions, "fewer than no iterations", call -> call.iterations = -3),
        new Situation(partitions, "more than ten losses", call -> call.iterations = 15),
        new Situation(partitions, "fraction 0", call -> call.fraction = 0),
        new Situation(
            partitions,
            "divergence to NaN",
            call -> {
              call.gradient = new LeastSquaresGradient();
              call.step = 1e200;
            }),
        new Situation(
            partitions,
            "NaN in a row",
            call -> call.data = spark -> call.withRow(spark, vector(5, Double.NaN))),
        new Situation(
            partitions,
            "infinite weights",
            call -> call.start = vector(FEATURES, Double.POSITIVE_INFINITY)));
  }

  private static List<Situation> thrown(int partitions) {
    return List.of(
        new Situation(partitions, "fraction above 1", call -> call.fraction = 1.5),
        new Situation(partitions, "fraction below 0", call -> call.fraction = -0.5),
        new Situation(partitions, "fraction NaN", call -> call.fraction = Double.NaN),
        new Situation(partitions, "null data", call -> call.data = spark -> null),
        new Situation(partitions, "null gradient", call -> call.gradient = null),
        new Situation(partitions, "null updater", call -> call.updater = null),
        new Situation(partitions, "null weights", call -> call.start = null),
        new Situation(partitions, "gradient throws", call -> call.gradient = new BrokenGradient()),
        new Situation(
            partitions, "gradient throws later", call -> call.gradient = BrokenGradient.later()),
        new Situation(
            partitions,
            "gradient cannot be sent",
            call -> call.gradient = new UnsendableGradient()),
        new Situation(partitions, "updater throws", call -> call.updater = new BrokenUpdater(1)),
        new Situation(
            partitions, "updater throws later", call -> call.updater = new BrokenUpdater(3)),
        new Situation(
            partitions, "weights too short", call -> call.start = vector(FEATURES - 2, 0)),
        new Situation(partitions, "weights too long", call -> call.start = vector(FEATURES + 2, 0)),
        new Situation(
            partitions,
            "a row too short",
            call -> call.data = spark -> call.withRow(spark, vector(4, 1))),
        new Situation(
            partitions,
            "a row too long",
            call -> call.data = spark -> call.withRow(spark, vector(6, 1))),
        new Situation(
            partitions,
            "a row without features",
            call -> call.data = spark -> call.withRow(spark, null)),
        new Situation(
            partitions, "a row that cannot be read", call -> call.data = call::unreadable),
        new Situation(
            partitions, "a label of another type", call -> call.data = call::wholeLabels));
  }

  Tuple2<Vector, double[]> train(JavaSparkContext spark) {
    return GradientDescent.runMiniBatchSGD(
        data.apply(spark),
        gradient,
        updater,
        step,
        iterations,
        /* regParam= */ 0.01,
        fraction,
        start,
        tolerance);
  }

  @Override
  public String toString() {
    return name;
  }

  private RDD<Tuple2<Object, Vector>> rows(JavaSparkContext spark, int count) {
    return TestData.partitions(
        spark, TestData.rows(count, FEATURES, /* sparse= */ false, 1), partitions);
  }

  private static RDD<Tuple2<Object, Vector>> noPartitions(JavaSparkContext spark) {
    return spark.<Tuple2<Object, Vector>>emptyRDD().rdd();
  }

  private RDD<Tuple2<Object, Vector>> withRow(JavaSparkContext spark, Vector features) {
    List<Tuple2<Object, Vector>> rows =
        new ArrayList<>(TestData.rows(ROWS, FEATURES, /* sparse= */ false, 1));
    rows.add(ROWS / 2, new Tuple2<>(1.0, features));
    return spark.parallelize(rows, partitions).rdd();
  }

  private RDD<Tuple2<Object, Vector>> unreadable(JavaSparkContext spark) {
    return rows(spark, ROWS).toJavaRDD().map(BrokenGradient::read).rdd();
  }

  private RDD<Tuple2<Object, Vector>> wholeLabels(JavaSparkContext spark) {
    List<Tuple2<Object, Vector>> rows =
        List.of(new Tuple2<>(1, vector(FEATURES, 1)), new Tuple2<>(0, vector(FEATURES, 2)));
    return spark.parallelize(rows, partitions).rdd();
  }

  private static Vector vector(int size, double value) {
    double[] values = new double[size];
    Arrays.fill(values, value);
    return Vectors.dense(values);
  }

  /** Holds something that cannot be serialised. */
  private static final class UnsendableGradient extends Gradient {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings({"serial", "UnusedVariable"}) // that is the bug
    private final Object lock = new Object();

    @Override
    public double compute(Vector features, double label, Vector weights, Vector sum) {
      return 0;
    }
  }

  /** Fails in its n-th call. */
  private static final class BrokenUpdater extends Updater {
    private static final long serialVersionUID = 1L;
    private final int failingCall;
    private int calls;

    BrokenUpdater(int failingCall) {
      this.failingCall = failingCall;
    }

    @Override
    public Tuple2<Vector, Object> compute(
        Vector old, Vector gradient, double stepSize, int iteration, double regParam) {
      calls++;
      if (calls == failingCall) {
        throw new IllegalStateException("the user's updater has a bug in call " + calls);
      }
      return new SquaredL2Updater().compute(old, gradient, stepSize, iteration, regParam);
    }
  }
}
