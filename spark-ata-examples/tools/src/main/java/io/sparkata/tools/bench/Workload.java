package io.sparkata.tools.bench;

import java.util.List;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import scala.Tuple2;

/** What is trained: rows, a gradient and where to start. */
interface Workload {
  /** Work per round for one core, about: 50 ms. */
  String SMALL = "small";

  /** About a third of a second, of MLlib's own gradient. */
  String MEDIUM = "medium";

  /** Work per round for one core, about: 1 s, of a user's own gradient. */
  String LARGE = "large";

  /** The same rows and loss by MLlib's own gradient, for which Spark ATA has a kernel. */
  String LARGE_MLLIB = "large-mllib";

  /** All that can be asked for. */
  List<String> SIZES = List.of(SMALL, MEDIUM, LARGE, LARGE_MLLIB);

  /** The rows, in words. */
  String dataset();

  /** One of {@link #SIZES}, or another word where nobody chose the size. */
  String size();

  /** Number of rows. */
  long rows();

  /** Of the rows, that a round samples. */
  double fraction();

  /** Of the loss. */
  Gradient gradient();

  /** Step size of the gradient descent. */
  double step();

  /** The first weights. */
  Vector start();

  /** Makes the rows in so many partitions, not cached and without preferred locations. */
  IntFunction<JavaRDD<Tuple2<Object, Vector>>> on(JavaSparkContext context);

  /** Whether rounds are long enough to ask how much of them is work: all but small ones. */
  default boolean hasEfficiency() {
    return SIZES.contains(size()) && !size().equals(SMALL);
  }

  /** Rows of a round. */
  default double batch() {
    return rows() * fraction();
  }
}
