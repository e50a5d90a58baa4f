package io.sparkata.lab.bench;

import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/** What is trained: rows, a gradient and the first weights. */
interface Workload {
  /** A round is about 50 ms of work for one core. */
  String SMALL = "small";

  /** A round is about a third of a second of MLlib's own gradient for one core. */
  String MEDIUM = "medium";

  /** A round is about a second of a user's own gradient for one core. */
  String LARGE = "large";

  /**
   * The rows and loss of {@link #LARGE} with MLlib's own gradient, for which Spark ATA has a
   * kernel.
   */
  String LARGE_MLLIB = "large-mllib";

  /** A description of the rows. */
  String dataset();

  /** Number of rows. */
  long rows();

  /** The share of the rows that a round samples. */
  double fraction();

  /** The gradient of the loss. */
  Gradient gradient();

  /** The same code, perhaps under another name, which speeds are kept by. */
  default Gradient warmUpGradient() {
    return gradient();
  }

  /** A new updater. */
  default Updater updater() {
    return new SquaredL2Updater();
  }

  /** Of the updater. */
  default double regParam() {
    return 1e-5;
  }

  /** Step size of the gradient descent. */
  double step();

  /** The first weights. */
  Vector start();

  /**
   * Returns what makes the rows in a number of partitions, uncached and without preferred
   * locations.
   */
  IntFunction<JavaRDD<Tuple2<Object, Vector>>> on(JavaSparkContext context);

  /** Whether rounds are of one length, and long enough to measure their efficiency. */
  default boolean hasEfficiency() {
    return false;
  }

  /** The expected number of sampled rows per round. */
  default double batch() {
    return rows() * fraction();
  }
}
