package io.sparkata.lab;

import io.sparkata.spark.SparkBlocks;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/** The training rows in the executors' memory, counted. Driver only. */
public final class CachedRows implements AutoCloseable {
  private final JavaRDD<Tuple2<Object, Vector>> rows;
  private final int copies;
  private final Map<String, Long> rowsByExecutor;
  private final long copiesBytes;

  private CachedRows(
      JavaRDD<Tuple2<Object, Vector>> rows,
      int copies,
      Map<String, Long> rowsByExecutor,
      long copiesBytes) {
    this.rows = rows;
    this.copies = copies;
    this.rowsByExecutor = rowsByExecutor;
    this.copiesBytes = copiesBytes;
  }

  /**
   * Caches one partition per slot, each on a slot of its own: stock Spark's even split.
   *
   * @param rows makes the rows in so many partitions, without preferred locations
   * @param slots number of slots of each executor
   */
  public static CachedRows onePerSlot(
      IntFunction<JavaRDD<Tuple2<Object, Vector>>> rows, Map<String, Integer> slots) {
    int parts = slots.values().stream().mapToInt(Integer::intValue).sum();
    JavaRDD<Tuple2<Object, Vector>> some = rows.apply(parts).persist(StorageLevel.MEMORY_ONLY());
    Map<String, Integer> held = new TreeMap<>();
    CachedRows cached = count(some, held, /* copies= */ 1, /* areTogether= */ true);
    if (!held.equals(slots)) {
      cached.close();
      throw new RunFailure(
          "Cannot spread the data evenly: partitions by executor "
              + held
              + ", slots "
              + slots
              + ". Run it with the cluster to itself.");
    }
    return cached;
  }

  /**
   * Caches where Spark's scheduler runs the tasks: a fast executor ends up with more partitions.
   *
   * @param rows not cached yet
   * @param copies number of copies of each partition, on different executors
   */
  public static CachedRows asScheduled(JavaRDD<Tuple2<Object, Vector>> rows, int copies) {
    StorageLevel level =
        StorageLevel.apply(
            /* useDisk= */ false,
            /* useMemory= */ true,
            /* useOffHeap= */ false,
            /* deserialized= */ true,
            copies);
    return count(rows.persist(level), new TreeMap<>(), copies, /* areTogether= */ false);
  }

  /**
   * @param areTogether whether tasks start together, one in each slot, and are never repeated by
   *     speculation, as those of a barrier stage; they compute the rows all the same
   */
  private static CachedRows count(
      JavaRDD<Tuple2<Object, Vector>> rows,
      Map<String, Integer> partitionsByExecutor,
      int copies,
      boolean areTogether) {
    Map<String, Long> rowsByExecutor = new TreeMap<>();
    ClassTag<Tuple2<String, Long>> tag = ClassTag$.MODULE$.apply(Tuple2.class);
    Counting counting = new Counting();
    RDD<Tuple2<String, Long>> counts =
        areTogether
            ? rows.rdd().barrier().mapPartitions(counting, /* preservesPartitioning= */ false, tag)
            : rows.rdd().mapPartitions(counting, /* preservesPartitioning= */ false, tag);
    for (Tuple2<String, Long> count : JavaRDD.fromRDD(counts, tag).collect()) {
      partitionsByExecutor.merge(count._1(), 1, Integer::sum);
      rowsByExecutor.merge(count._1(), count._2(), Long::sum);
    }
    requireRoom(rows, copies);
    long bytes =
        Arrays.stream(rows.context().getRDDStorageInfo())
            .filter(info -> info.id() == rows.id())
            .mapToLong(info -> info.memSize())
            .sum();
    return new CachedRows(rows, copies, rowsByExecutor, bytes / copies * (copies - 1));
  }

  /** Counts a partition's rows, and returns the executor's id with the count. */
  private static final class Counting
      extends AbstractFunction1<Iterator<Tuple2<Object, Vector>>, Iterator<Tuple2<String, Long>>>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Iterator<Tuple2<String, Long>> apply(Iterator<Tuple2<Object, Vector>> rows) {
      long count = 0;
      for (; rows.hasNext(); rows.next()) {
        count++;
      }
      return Iterator$.MODULE$.single(new Tuple2<>(SparkEnv.get().executorId(), count));
    }
  }

  /** Spark silently drops partitions that do not fit, copies first. */
  private static void requireRoom(JavaRDD<?> rows, int copies) {
    List<RDDBlockId> blocks =
        IntStream.range(0, rows.getNumPartitions())
            .mapToObj(part -> new RDDBlockId(rows.id(), part))
            .toList();
    int held = SparkBlocks.holders(rows.context(), blocks).stream().mapToInt(List::size).sum();
    if (held < copies * blocks.size()) {
      throw new RunFailure(
          "Cannot cache the data: "
              + held
              + " of "
              + copies * blocks.size()
              + " copies of partitions fit. Give the executors more memory, or take fewer rows.");
    }
  }

  /**
   * Checks that Spark has dropped no row since they were counted.
   *
   * @throws RunFailure if a copy of a partition is no longer in memory
   */
  public void requireHeld() {
    requireRoom(rows, copies);
  }

  /** The rows, for MLlib. */
  public RDD<Tuple2<Object, Vector>> rdd() {
    return rows.rdd();
  }

  /** The rows that each executor made and caches. */
  public Map<String, Long> rowsByExecutor() {
    return rowsByExecutor;
  }

  /** Storage memory of the copies: all but one of each partition. */
  public long copiesBytes() {
    return copiesBytes;
  }

  /** Waits until every executor has released its rows. */
  @Override
  public void close() {
    rows.unpersist(/* blocking= */ true);
  }
}
