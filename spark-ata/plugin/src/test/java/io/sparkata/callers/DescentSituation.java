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
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/** A call of {@code runMiniBatchSGD} that makes MLlib say or throw something. */
final class DescentSituation implements Situation {
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

  private DescentSituation(int partitions, String name, Consumer<DescentSituation> setting) {
    this.partitions = partitions;
    this.name = name;
    setting.accept(this);
  }

  /** All, on data of so many partitions. */
  static List<DescentSituation> all(int partitions) {
    List<DescentSituation> all = new ArrayList<>(said(partitions));
    all.addAll(thrown(partitions));
    return all;
  }

  private static List<DescentSituation> said(int partitions) {
    return List.of(
        new DescentSituation(partitions, "nothing special", call -> {}),
        new DescentSituation(
            partitions,
            "mini-batches with a tolerance",
            call -> {
              call.fraction = 0.5;
              call.tolerance = 0.001;
            }),
        new DescentSituation(partitions, "not all examples used", call -> call.fraction = 0.2),
        new DescentSituation(
            partitions, "no rows", call -> call.data = spark -> call.rows(spark, 0)),
        new DescentSituation(
            partitions, "no partitions", call -> call.data = DescentSituation::noPartitions),
        new DescentSituation(partitions, "too small a fraction", call -> call.fraction = 0.001),
        new DescentSituation(
            partitions,
            "empty batches",
            call -> {
              call.fraction = 0.02;
              call.iterations = 30;
            }),
        new DescentSituation(
            partitions,
            "convergence",
            call -> {
              call.gradient = new LeastSquaresGradient();
              call.iterations = 100;
              call.tolerance = 0.05;
            }),
        new DescentSituation(partitions, "no iterations", call -> call.iterations = 0),
        new DescentSituation(partitions, "fewer than no iterations", call -> call.iterations = -3),
        new DescentSituation(partitions, "more than ten losses", call -> call.iterations = 15),
        new DescentSituation(partitions, "fraction 0", call -> call.fraction = 0),
        new DescentSituation(
            partitions,
            "divergence to NaN",
            call -> {
              call.gradient = new LeastSquaresGradient();
              call.step = 1e200;
            }),
        new DescentSituation(
            partitions,
            "NaN in a row",
            call -> call.data = spark -> call.withRow(spark, vector(5, Double.NaN))),
        new DescentSituation(
            partitions,
            "infinite weights",
            call -> call.start = vector(FEATURES, Double.POSITIVE_INFINITY)));
  }

  private static List<DescentSituation> thrown(int partitions) {
    return List.of(
        new DescentSituation(partitions, "fraction above 1", call -> call.fraction = 1.5),
        new DescentSituation(partitions, "fraction below 0", call -> call.fraction = -0.5),
        new DescentSituation(partitions, "fraction NaN", call -> call.fraction = Double.NaN),
        new DescentSituation(partitions, "null data", call -> call.data = spark -> null),
        new DescentSituation(partitions, "null gradient", call -> call.gradient = null),
        new DescentSituation(partitions, "null updater", call -> call.updater = null),
        new DescentSituation(partitions, "null weights", call -> call.start = null),
        new DescentSituation(
            partitions, "gradient throws", call -> call.gradient = new BrokenGradient()),
        new DescentSituation(
            partitions, "gradient throws later", call -> call.gradient = BrokenGradient.later()),
        new DescentSituation(
            partitions,
            "gradient cannot be sent",
            call -> call.gradient = new UnsendableGradient()),
        new DescentSituation(
            partitions, "updater throws", call -> call.updater = new BrokenUpdater(1)),
        new DescentSituation(
            partitions, "updater throws later", call -> call.updater = new BrokenUpdater(3)),
        new DescentSituation(
            partitions, "weights too short", call -> call.start = vector(FEATURES - 2, 0)),
        new DescentSituation(
            partitions, "weights too long", call -> call.start = vector(FEATURES + 2, 0)),
        new DescentSituation(
            partitions,
            "a row too short",
            call -> call.data = spark -> call.withRow(spark, vector(4, 1))),
        new DescentSituation(
            partitions,
            "a row too long",
            call -> call.data = spark -> call.withRow(spark, vector(6, 1))),
        new DescentSituation(
            partitions,
            "a row without features",
            call -> call.data = spark -> call.withRow(spark, null)),
        new DescentSituation(
            partitions, "a row that cannot be read", call -> call.data = call::unreadable),
        new DescentSituation(
            partitions, "a vector that MLlib refuses", call -> call.data = call::refused),
        new DescentSituation(
            partitions, "a row that a query refuses", call -> call.data = call::ofQuery),
        new DescentSituation(
            partitions, "a label of another type", call -> call.data = call::wholeLabels));
  }

  @Override
  public Tuple2<Vector, double[]> train(JavaSparkContext spark) {
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

  private RDD<Tuple2<Object, Vector>> refused(JavaSparkContext spark) {
    return rows(spark, ROWS).toJavaRDD().map(BrokenGradient::refused).rdd();
  }

  private RDD<Tuple2<Object, Vector>> ofQuery(JavaSparkContext spark) {
    return SparkSession.builder()
        .sparkContext(spark.sc())
        .getOrCreate()
        .range(0, ROWS, 1, partitions)
        .selectExpr("IF(id = 30, CAST(raise_error('no label') AS DOUBLE), 1.0D) AS label")
        .javaRDD()
        .map(row -> new Tuple2<Object, Vector>(row.getDouble(0), vector(FEATURES, 1)))
        .rdd();
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
  static final class UnsendableGradient extends Gradient {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings({"serial", "UnusedVariable"}) // that is the bug
    private final Object lock = new Object();

    @Override
    public double compute(Vector features, double label, Vector weights, Vector sum) {
      return 0;
    }
  }

  /** Fails in its n-th call. */
  static final class BrokenUpdater extends Updater {
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
