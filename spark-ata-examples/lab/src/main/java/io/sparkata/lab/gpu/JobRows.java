package io.sparkata.lab.gpu;

import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/** Dense rows with labels 0 and 1, generated on the executors from fixed seeds. */
final class JobRows {
  private JobRows() {}

  /** Returns rows in partitions of the same size. */
  static RDD<Tuple2<Object, Vector>> of(
      JavaSparkContext spark, int rows, int features, int partitions) {
    return spark
        .parallelize(IntStream.range(0, partitions).boxed().toList(), partitions)
        .flatMap(partition -> partition(partition, rows / partitions, features))
        .cache()
        .rdd();
  }

  private static Iterator<Tuple2<Object, Vector>> partition(int partition, int rows, int features) {
    SplittableRandom random = new SplittableRandom(partition);
    return IntStream.range(0, rows).mapToObj(row -> row(random, features)).iterator();
  }

  /** A row with label 1 if the first half of its features has the larger sum. */
  private static Tuple2<Object, Vector> row(SplittableRandom random, int features) {
    double[] values = random.doubles(features, -1, 1).toArray();
    double margin = 0;
    for (int i = 0; i < features; i++) {
      margin += i < features / 2 ? values[i] : -values[i];
    }
    return new Tuple2<>(margin > 0 ? 1.0 : 0.0, Vectors.dense(values));
  }
}
