package io.sparkata.lab.bench;

import io.sparkata.lab.Medians;
import io.sparkata.testing.TestCluster;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Test;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * What a round costs besides its kernel, by how the model travels and by the depth of the tree of
 * sums. The sides alternate, and figures are medians. Not part of the default run:
 *
 * <pre>
 * mvn -pl spark-ata-examples/lab -am verify -Data.skipUnitTests=true -Dit.test=RoundCostBenchmark \
 *   -Dfailsafe.failIfNoSpecifiedTests=false -Data.test.jvm=
 * </pre>
 */
class RoundCostBenchmark {
  private static final int WARM_UP = 15;
  private static final int REPETITIONS = 31;

  @Test
  void print() {
    try (TestCluster cluster = TestCluster.start(Map.of("spark.driver.maxResultSize", "4g"))) {
      JavaSparkContext spark = cluster.context();
      System.out.println("BENCH weights: in the task / by broadcast, ms, 3 tasks, depth 1");
      for (int size : new int[] {1_000, 10_000, 33_000, 100_000, 300_000, 1_000_000}) {
        double[] weights = new double[size];
        double[] medians =
            inTurn(() -> inTask(spark, weights, 3, 1), () -> broadcast(spark, weights, 3, 1));
        System.out.printf("BENCH %d: %.1f / %.1f%n", size, medians[0], medians[1]);
      }
      System.out.println("BENCH depth: 1 / 2, ms, weights by broadcast");
      for (int tasks : new int[] {6, 12, 24, 48}) {
        for (int size : new int[] {1_000, 100_000, 300_000}) {
          double[] weights = new double[size];
          double[] medians =
              inTurn(
                  () -> broadcast(spark, weights, tasks, 1),
                  () -> broadcast(spark, weights, tasks, 2));
          System.out.printf("BENCH %d x %d: %.1f / %.1f%n", tasks, size, medians[0], medians[1]);
        }
      }
    }
  }

  /** The first jobs warm up, since JIT compilation dominates short jobs. */
  @Test
  void printATreeOfOneLevel() {
    try (TestCluster cluster = TestCluster.start(Map.of())) {
      JavaSparkContext spark = cluster.context();
      System.out.println("BENCH a tree of one level: treeAggregate / a plain job, ms, 3 tasks");
      for (int turn = 0; turn < 20; turn++) {
        double[] level = inTurn(() -> sum(spark, 3, 1, () -> new double[1]), () -> plain(spark));
        System.out.printf("BENCH %.1f / %.1f%n", level[0], level[1]);
      }
    }
  }

  private static double[] inTurn(Supplier<Double> first, Supplier<Double> second) {
    List<double[]> pairs = new ArrayList<>();
    for (int i = 0; i < WARM_UP + REPETITIONS; i++) {
      double[] pair = {milliseconds(first), milliseconds(second)};
      if (i >= WARM_UP) {
        pairs.add(pair);
      }
    }
    return IntStream.range(0, 2)
        .mapToDouble(side -> Medians.of(pairs, pair -> pair[side]))
        .toArray();
  }

  private static double milliseconds(Supplier<Double> job) {
    long start = System.nanoTime();
    double unused = job.get();
    return (System.nanoTime() - start) / 1e6;
  }

  private static double inTask(JavaSparkContext spark, double[] weights, int tasks, int depth) {
    return sum(spark, tasks, depth, () -> weights);
  }

  private static double broadcast(JavaSparkContext spark, double[] weights, int tasks, int depth) {
    Broadcast<double[]> sent = spark.broadcast(weights);
    double sum = sum(spark, tasks, depth, sent::value);
    sent.destroy();
    return sum;
  }

  private interface Model extends Supplier<double[]>, Serializable {}

  private static double sum(JavaSparkContext spark, int tasks, int depth, Model model) {
    JavaRDD<Integer> rows = spark.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks);
    double[] total =
        rows.map(unused -> model.get().clone())
            .treeAggregate(new double[0], PlainJobs::add, PlainJobs::add, depth);
    return total[0];
  }

  /** Adds up the results on the driver as they arrive. */
  private static double plain(JavaSparkContext spark) {
    RDD<Integer> rows = spark.parallelize(List.of(1, 2, 3), 3).rdd();
    Total total = new Total();
    spark.sc().runJob(rows, new First(), total, rows.elementClassTag());
    return total.sum;
  }

  private static final class First
      extends AbstractFunction2<TaskContext, Iterator<Integer>, Integer> implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Integer apply(TaskContext context, Iterator<Integer> rows) {
      return rows.next();
    }
  }

  private static final class Total extends AbstractFunction2<Object, Integer, BoxedUnit> {
    private double sum;

    @Override
    public BoxedUnit apply(Object task, Integer ofTask) {
      sum += ofTask;
      return BoxedUnit.UNIT;
    }
  }
}
