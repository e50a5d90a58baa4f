package com.example;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import scala.Tuple2;

/**
 * A user's gradient with a bug, which throws always, once a file is there, or once a weight is not
 * zero. In a package of its own, since the plugin looks at what threw.
 */
public final class BrokenGradient extends Gradient {
  /** What it throws. */
  public static final String MESSAGE = "the user's gradient has a bug";

  private static final long serialVersionUID = 1L;

  private final Gradient logistic = new LogisticGradient();
  private final String file; // null: none is looked for
  private final boolean isGoodAtFirst;

  /** One that throws always. */
  public BrokenGradient() {
    this(/* file= */ null, /* isGoodAtFirst= */ false);
  }

  private BrokenGradient(String file, boolean isGoodAtFirst) {
    this.file = file;
    this.isGoodAtFirst = isGoodAtFirst;
  }

  /** One of logistic loss until this file is there. */
  public static BrokenGradient by(Path file) {
    return new BrokenGradient(file.toString(), /* isGoodAtFirst= */ false);
  }

  /** One of logistic loss as long as the first weight is zero. */
  public static BrokenGradient later() {
    return new BrokenGradient(/* file= */ null, /* isGoodAtFirst= */ true);
  }

  /** Makes rows that cannot be read, some of them. */
  public static Tuple2<Object, Vector> read(Tuple2<Object, Vector> row) {
    if (row._2().apply(0) > 0) {
      throw new NumberFormatException("no number: 'x'");
    }
    return row;
  }

  /** Makes rows of vectors that MLlib refuses, some of them. */
  public static Tuple2<Object, Vector> refused(Tuple2<Object, Vector> row) {
    return row._2().apply(0) > 0
        ? new Tuple2<>(row._1(), Vectors.sparse(0, new int[] {1}, new double[] {1}))
        : row;
  }

  @Override
  public double compute(Vector features, double label, Vector weights, Vector sum) {
    boolean isGood =
        isGoodAtFirst ? weights.apply(0) == 0 : file != null && !Files.exists(Path.of(file));
    if (!isGood) {
      throw new ArithmeticException(MESSAGE);
    }
    return logistic.compute(features, label, weights, sum);
  }
}
