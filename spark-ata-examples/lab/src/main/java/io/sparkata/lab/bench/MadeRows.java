package io.sparkata.lab.bench;

import java.io.Serializable;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import scala.Tuple2;

/**
 * A logistic regression on rows that executors make from a seed: row i is the same in every
 * partitioning. Dense values are uniform in [-1, 1]; a sparse row has one such value in each of
 * {@code nonZeros} equal ranges of its features.
 *
 * @param rows number of rows, of which a round samples {@code fraction}
 * @param nonZeros per row; {@code features} for dense rows
 * @param classes 2 for the binary loss, more for the multinomial
 */
record MadeRows(
    String layout,
    String size,
    long rows,
    int features,
    int nonZeros,
    int classes,
    double fraction,
    long seed)
    implements Workload, Serializable {
  /** Must differ from the generator's own increment, or each row would be the next one shifted. */
  private static final long ROW_STEP = 0xD1342543DE82EF95L;

  static final String DENSE = "dense";
  static final String SPARSE = "sparse";

  /**
   * The workload of a layout and a size. A large round of a tenth of the rows is drawn from ten
   * times as many.
   *
   * <p>Large rounds use the multinomial loss of ten classes, which computes more per byte: a second
   * of the binary loss would need at least 5 GB of rows. Medium rounds have as many rows as fit
   * into 20 GB with a copy on each of four executors.
   */
  static MadeRows of(String layout, String size, double fraction, long seed) {
    int times = fraction < 1 ? 10 : 1;
    if (size.equals(Workload.LARGE) || size.equals(Workload.LARGE_MLLIB)) {
      return layout.equals(SPARSE)
          ? new MadeRows(layout, size, 80_000L * times, 20_000, 64, 10, fraction, seed)
          : new MadeRows(layout, size, 30_000L * times, 200, 200, 10, fraction, seed);
    }
    long rows = size.equals(Workload.MEDIUM) ? 2_000_000 : 200_000;
    return layout.equals(SPARSE)
        ? new MadeRows(layout, size, rows, 10_000, 64, 2, fraction, seed)
        : new MadeRows(layout, size, rows, 100, 100, 2, fraction, seed);
  }

  /** All of some dense rows in each round. */
  static MadeRows dense(long rows, int features, int classes, long seed) {
    return new MadeRows(
        DENSE, /* size= */ "fit", rows, features, features, classes, /* fraction= */ 1, seed);
  }

  /** The same of sparse rows. */
  static MadeRows sparse(long rows, int features, int nonZeros, int classes, long seed) {
    return new MadeRows(
        SPARSE, Workload.SMALL, rows, features, nonZeros, classes, /* fraction= */ 1, seed);
  }

  @Override
  public String dataset() {
    String form = rows + " x " + features;
    return "made "
        + layout
        + " "
        + form
        + (layout.equals(SPARSE) ? ", " + nonZeros + " a row" : "")
        + (classes > 2 ? ", " + classes + " classes" : "")
        + (isUsersGradient() ? ", a user's gradient" : "");
  }

  @Override
  public Gradient gradient() {
    return isUsersGradient() ? new UserLogistic(classes) : new LogisticGradient(classes);
  }

  private boolean isUsersGradient() {
    return size.equals(Workload.LARGE);
  }

  @Override
  public double step() {
    return 1;
  }

  @Override
  public boolean hasEfficiency() {
    return !size.equals(Workload.SMALL);
  }

  @Override
  public Vector start() {
    return Vectors.zeros(Math.multiplyExact(features, classes - 1));
  }

  @Override
  public IntFunction<JavaRDD<Tuple2<Object, Vector>>> on(JavaSparkContext context) {
    return parts ->
        context
            .parallelize(IntStream.range(0, parts).boxed().toList(), parts)
            .flatMap(part -> part(part, parts));
  }

  private Iterator<Tuple2<Object, Vector>> part(int part, int parts) {
    return LongStream.range(rows * part / parts, rows * (part + 1) / parts)
        .mapToObj(this::row)
        .iterator();
  }

  /** Row {@code i}, labelled by the sign or the size of the sum of its first values. */
  Tuple2<Object, Vector> row(long i) {
    SplittableRandom random = new SplittableRandom(seed + i * ROW_STEP);
    double[] values = new double[nonZeros];
    for (int k = 0; k < nonZeros; k++) {
      values[k] = random.nextDouble() * 2 - 1;
    }
    Vector features = layout.equals(SPARSE) ? sparse(values, random) : Vectors.dense(values);
    return new Tuple2<>(label(values), features);
  }

  private Vector sparse(double[] values, SplittableRandom random) {
    int[] indices = new int[nonZeros];
    for (int k = 0; k < nonZeros; k++) {
      long from = (long) features * k / nonZeros;
      long to = (long) features * (k + 1) / nonZeros;
      indices[k] = (int) random.nextLong(from, to);
    }
    return Vectors.sparse(features, indices, values);
  }

  private double label(double[] values) {
    double sum = 0;
    for (int k = 0; k < Math.min(4, values.length); k++) {
      sum += values[k];
    }
    if (classes == 2) {
      return sum > 0 ? 1 : 0;
    }
    return Math.floor((Math.max(-1.999, Math.min(1.999, sum)) + 2) / 4 * classes);
  }
}
