package io.sparkata.testing;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/** Seeded (label, features) rows with labels 0 and 1. */
public final class TestData {
  private TestData() {}

  public static List<Tuple2<Object, Vector>> rows(
      int count, int features, boolean sparse, long seed) {
    Random random = new Random(seed);
    double[] truth = random.doubles(features, -1, 1).toArray();
    List<Tuple2<Object, Vector>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Vector row = sparse ? sparseRow(features, random) : denseRow(features, random);
      double margin = random.nextGaussian() / 4;
      double[] values = row.toArray();
      for (int j = 0; j < features; j++) {
        margin += values[j] * truth[j];
      }
      rows.add(new Tuple2<>(margin > 0 ? 1.0 : 0.0, row));
    }
    return rows;
  }

  /** {@code sizes.length} partitions of the given sizes. */
  public static RDD<Tuple2<Object, Vector>> unequalPartitions(
      JavaSparkContext context, List<Tuple2<Object, Vector>> rows, int... sizes) {
    List<Part> parts = new ArrayList<>();
    int from = 0;
    for (int size : sizes) {
      parts.add(new Part(rows.subList(from, from + size)));
      from += size;
    }
    return context.parallelize(parts, sizes.length).flatMap(Part::iterator).rdd();
  }

  /** {@code count} partitions of even sizes. */
  public static RDD<Tuple2<Object, Vector>> partitions(
      JavaSparkContext context, List<Tuple2<Object, Vector>> rows, int count) {
    int[] sizes = new int[count];
    for (int i = 0; i < count; i++) {
      sizes[i] = (i + 1) * rows.size() / count - i * rows.size() / count;
    }
    return unequalPartitions(context, rows, sizes);
  }

  /** Dense rows made on the executors, evenly spread; every look at a partition sees the same. */
  public static RDD<Tuple2<Object, Vector>> generated(
      JavaSparkContext context, int count, int features, int partitions) {
    int perPartition = count / partitions;
    return context
        .parallelize(IntStream.range(0, partitions).boxed().toList(), partitions)
        .flatMap(
            partition -> {
              int extra = partition < count % partitions ? 1 : 0;
              return rows(perPartition + extra, features, false, partition).iterator();
            })
        .rdd();
  }

  /**
   * The rows of a partition as they travel in each task: arrays, since thousands of vectors take
   * longer to serialize than to train on.
   */
  private static final class Part implements Serializable {
    private static final long serialVersionUID = 1;

    private final int features;
    private final double[] labels;
    private final int[][] indices; // null for a dense row
    private final double[][] values;

    Part(List<Tuple2<Object, Vector>> rows) {
      int count = rows.size();
      features = count == 0 ? 0 : rows.get(0)._2().size();
      labels = new double[count];
      indices = new int[count][];
      values = new double[count][];
      for (int i = 0; i < count; i++) {
        labels[i] = (Double) rows.get(i)._1();
        if (rows.get(i)._2() instanceof SparseVector sparse) {
          indices[i] = sparse.indices();
          values[i] = sparse.values();
        } else {
          values[i] = rows.get(i)._2().toArray();
        }
      }
    }

    Iterator<Tuple2<Object, Vector>> iterator() {
      return IntStream.range(0, labels.length)
          .mapToObj(i -> new Tuple2<Object, Vector>(labels[i], row(i)))
          .iterator();
    }

    private Vector row(int i) {
      return indices[i] == null
          ? Vectors.dense(values[i])
          : Vectors.sparse(features, indices[i], values[i]);
    }
  }

  private static Vector denseRow(int features, Random random) {
    return Vectors.dense(random.doubles(features, -1, 1).toArray());
  }

  private static Vector sparseRow(int features, Random random) {
    int[] indices = random.ints(0, features).distinct().limit(features / 5 + 1).sorted().toArray();
    return Vectors.sparse(features, indices, random.doubles(indices.length, -1, 1).toArray());
  }
}
