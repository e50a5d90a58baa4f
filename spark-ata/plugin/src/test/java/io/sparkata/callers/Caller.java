package io.sparkata.callers;

import io.sparkata.testing.TestData;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.regression.LabeledPoint;
import scala.Tuple2;

/**
 * A way into MLlib's gradient descent.
 *
 * @param calls how often it calls {@code runMiniBatchSGD}
 * @param train weights, intercepts included, and the losses, empty where the caller hides them; the
 *     result depends on the partitions of its data but on nothing else of the context
 */
record Caller(String name, int calls, Function<JavaSparkContext, Tuple2<Vector, double[]>> train) {
  /** Updates of one call. */
  static final int ITERATIONS = 6;

  /** A model that travels by broadcast is of this size or more. */
  static final int LARGE_MODEL = 40_000;

  static List<Caller> all() {
    return List.of(
            DirectCallers.all(),
            LinearCallers.all(),
            PythonCallers.all(),
            StreamingCallers.all(),
            DataFrameCallers.all())
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  /** Partitions of very unequal sizes, one of them empty. */
  static int[] sizes(int rows) {
    return new int[] {rows / 10, 0, rows / 2, rows - rows / 10 - rows / 2};
  }

  static JavaRDD<LabeledPoint> labeled(JavaSparkContext spark, List<Tuple2<Object, Vector>> rows) {
    return TestData.unequalPartitions(spark, rows, sizes(rows.size()))
        .toJavaRDD()
        .map(row -> new LabeledPoint((Double) row._1(), row._2()));
  }

  @Override
  public String toString() {
    return name;
  }
}
