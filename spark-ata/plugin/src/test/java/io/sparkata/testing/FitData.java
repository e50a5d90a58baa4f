package io.sparkata.testing;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Tuple2;

/**
 * Rows for every kind of model: three classes (0, 1, 2, 0, ... in the order of the rows), two
 * classes, a number, a censored duration, and a weight.
 *
 * @param rows (class, features)
 * @param features how many
 * @param blockMegabytes maxBlockSizeInMB of spark.ml
 */
public record FitData(RDD<Tuple2<Object, Vector>> rows, int features, double blockMegabytes) {
  /** The number of different values in the column "class". */
  public static final int CLASSES = 3;

  /** About ten rows of a dozen features. */
  public static final double SMALL_BLOCKS = 0.001;

  /** Holds any partition. */
  public static final double ONE_BLOCK = 64;

  /** Seeded rows, in partitions of the given sizes. */
  public static FitData of(
      JavaSparkContext spark, int features, boolean sparse, double blockMegabytes, int... sizes) {
    int count = 0;
    for (int size : sizes) {
      count += size;
    }
    List<Tuple2<Object, Vector>> rows = new ArrayList<>();
    for (Tuple2<Object, Vector> row : TestData.rows(count, features, sparse, 11)) {
      int kind = rows.size() % CLASSES;
      rows.add(new Tuple2<>((double) kind, shifted(row._2(), kind)));
    }
    return new FitData(TestData.unequalPartitions(spark, rows, sizes), features, blockMegabytes);
  }

  /** The same, in {@code partitions} of even sizes. */
  public static FitData even(
      JavaSparkContext spark,
      int features,
      boolean sparse,
      double blockMegabytes,
      int count,
      int partitions) {
    int[] sizes = new int[partitions];
    for (int i = 0; i < partitions; i++) {
      sizes[i] = (i + 1) * count / partitions - i * count / partitions;
    }
    return of(spark, features, sparse, blockMegabytes, sizes);
  }

  /** Every third feature is larger in rows of its class. */
  private static Vector shifted(Vector features, int kind) {
    double[] values = features.toArray();
    for (int i = kind; i < values.length; i += CLASSES) {
      values[i] += values[i] == 0 ? 0 : 0.3;
    }
    return features instanceof SparseVector
        ? Vectors.dense(values).toSparse()
        : Vectors.dense(values);
  }

  /**
   * With the columns "features", "class", "label" (two classes), "number", "time", "censor" and
   * "weight".
   */
  public Dataset<Row> dataset() {
    return SparkSession.builder()
        .sparkContext(rows.sparkContext())
        .getOrCreate()
        .createDataFrame(
            rows.toJavaRDD().map(FitData::row),
            new StructType()
                .add("features", SQLDataTypes.VectorType())
                .add("class", DataTypes.DoubleType)
                .add("label", DataTypes.DoubleType)
                .add("number", DataTypes.DoubleType)
                .add("time", DataTypes.DoubleType)
                .add("censor", DataTypes.DoubleType)
                .add("weight", DataTypes.DoubleType));
  }

  private static Row row(Tuple2<Object, Vector> row) {
    double kind = (Double) row._1();
    double[] values = row._2().toArray();
    double number = kind;
    double any = 0;
    for (int i = 0; i < values.length; i++) {
      number += values[i] * Math.cos(i);
      any += values[i];
    }
    return RowFactory.create(
        row._2().asML(),
        kind,
        binary(kind),
        number,
        Math.exp(number / 4),
        any > -0.5 ? 1.0 : 0.0,
        0.5 + Math.abs(Math.sin(any)));
  }

  private static double binary(double kind) {
    return kind > 0 ? 1 : 0;
  }

  /** (label of two classes, features). */
  public RDD<Tuple2<Object, Vector>> binaryRows() {
    return rows.toJavaRDD()
        .map(row -> new Tuple2<Object, Vector>(binary((Double) row._1()), row._2()))
        .rdd();
  }

  /** Of two classes, or of three. */
  public RDD<LabeledPoint> points(int classes) {
    return (classes == 2 ? binaryRows() : rows)
        .toJavaRDD()
        .map(row -> new LabeledPoint((Double) row._1(), row._2()))
        .rdd();
  }
}
