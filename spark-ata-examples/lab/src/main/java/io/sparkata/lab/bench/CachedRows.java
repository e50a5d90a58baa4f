package io.sparkata.lab.bench;

import io.sparkata.lab.RunFailure;
import io.sparkata.spark.SparkBlocks;
import java.io.Serializable;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import scala.Function1;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The training rows in the executors' memory. Driver only. */
final class CachedRows implements AutoCloseable {
  private final JavaRDD<Tuple2<Object, Vector>> rows;
  private final int copies;

  /** For rows that are cached already. */
  private CachedRows(JavaRDD<Tuple2<Object, Vector>> rows, int copies) {
    this.rows = rows;
    this.copies = copies;
    requireHeld();
  }

  /**
   * Caches one partition on each executor, which has one slot: stock Spark's even split.
   *
   * @param rows makes the rows in so many partitions, without preferred locations
   * @param executors their ids
   */
  static CachedRows onePerExecutor(
      IntFunction<JavaRDD<Tuple2<Object, Vector>>> rows, List<String> executors) {
    JavaRDD<Tuple2<Object, Vector>> some =
        rows.apply(executors.size()).persist(StorageLevel.MEMORY_ONLY());
    // Tasks of a barrier stage start together, one in each slot, and speculation repeats none.
    ClassTag<Tuple2<Object, Vector>> tag = ClassTag$.MODULE$.apply(Tuple2.class);
    some.rdd().barrier().mapPartitions(same(), /* preservesPartitioning= */ false, tag).count();
    CachedRows cached = new CachedRows(some, /* copies= */ 1);
    List<String> used = cached.holders().stream().map(holders -> holders.get(0)).toList();
    if (!used.containsAll(executors)) {
      cached.close();
      throw new RunFailure(
          "Cannot spread the data evenly: of executors %s, %s have a partition. Run it with the"
                  .formatted(executors, used)
              + " cluster to itself.");
    }
    return cached;
  }

  private static <T> Function1<Iterator<T>, Iterator<T>> same() {
    return (Function1<Iterator<T>, Iterator<T>> & Serializable) partition -> partition;
  }

  /**
   * Caches where Spark's scheduler runs the tasks: a fast executor ends up with more partitions.
   *
   * @param rows not cached yet
   * @param copies number of copies of each partition, on different executors
   */
  static CachedRows asScheduled(JavaRDD<Tuple2<Object, Vector>> rows, int copies) {
    rows.persist(copies(copies)).count();
    return new CachedRows(rows, copies);
  }

  /** As {@link StorageLevel#MEMORY_ONLY}, with so many copies on different executors. */
  static StorageLevel copies(int copies) {
    return StorageLevel.apply(
        /* useDisk= */ false,
        /* useMemory= */ true,
        /* useOffHeap= */ false,
        /* deserialized= */ true,
        copies);
  }

  private List<List<String>> holders() {
    return SparkBlocks.holders(
        rows.context(),
        IntStream.range(0, rows.getNumPartitions())
            .mapToObj(part -> new RDDBlockId(rows.id(), part))
            .toList());
  }

  /**
   * Checks that Spark has dropped no row: it silently drops partitions that do not fit, copies
   * first.
   *
   * @throws RunFailure if a copy of a partition is not in memory
   */
  private void requireHeld() {
    int held = holders().stream().mapToInt(List::size).sum();
    int wanted = copies * rows.getNumPartitions();
    if (held < wanted) {
      throw new RunFailure(
          "Cannot cache the data: %d of %d copies of partitions fit. Give the executors more"
                  .formatted(held, wanted)
              + " memory, or take fewer rows.");
    }
  }

  /** The rows, for MLlib. */
  RDD<Tuple2<Object, Vector>> rdd() {
    return rows.rdd();
  }

  /** Waits until every executor has released its rows. */
  @Override
  public void close() {
    rows.unpersist(/* blocking= */ true);
  }
}
