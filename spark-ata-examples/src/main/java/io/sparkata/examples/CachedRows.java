package io.sparkata.examples;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** The training rows in the executors' memory, counted. Driver only. */
public final class CachedRows implements AutoCloseable {
  private static final int ATTEMPTS = 20; // tiny parts may be done before all slots are offered

  private final JavaRDD<Tuple2<Object, Vector>> rows;
  private final Map<String, Long> rowsByExecutor;

  private CachedRows(JavaRDD<Tuple2<Object, Vector>> rows, Map<String, Long> rowsByExecutor) {
    this.rows = rows;
    this.rowsByExecutor = rowsByExecutor;
  }

  /**
   * Caches one partition per slot, each on a slot of its own: stock Spark's even split.
   *
   * @param rows makes the rows in so many partitions, without preferred locations
   * @param slots of each executor
   */
  public static CachedRows onePerSlot(
      IntFunction<JavaRDD<Tuple2<Object, Vector>>> rows, Map<String, Integer> slots) {
    int parts = slots.values().stream().mapToInt(Integer::intValue).sum();
    Map<String, Integer> held = Map.of();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      // No preferred locations and all slots free: Spark starts one task in each.
      JavaRDD<Tuple2<Object, Vector>> some = rows.apply(parts).persist(StorageLevel.MEMORY_ONLY());
      held = new TreeMap<>();
      CachedRows cached = count(some, held);
      if (held.equals(slots)) {
        return cached;
      }
      cached.close();
    }
    throw new RunFailure(
        "Cannot spread the data evenly: partitions by executor "
            + held
            + ", slots "
            + slots
            + ". Run it with the cluster to itself.");
  }

  /**
   * Caches as Spark's scheduler has it: a fast executor comes to hold more partitions.
   *
   * @param rows not cached yet
   * @param copies of each partition, on different executors
   */
  public static CachedRows asScheduled(JavaRDD<Tuple2<Object, Vector>> rows, int copies) {
    StorageLevel level =
        StorageLevel.apply(
            /* useDisk= */ false,
            /* useMemory= */ true,
            /* useOffHeap= */ false,
            /* deserialized= */ true,
            copies);
    return count(rows.persist(level), new TreeMap<>());
  }

  private static CachedRows count(
      JavaRDD<Tuple2<Object, Vector>> rows, Map<String, Integer> partitionsByExecutor) {
    Map<String, Long> rowsByExecutor = new TreeMap<>();
    for (Tuple2<String, Long> count : rows.mapPartitions(CachedRows::counted).collect()) {
      partitionsByExecutor.merge(count._1(), 1, Integer::sum);
      rowsByExecutor.merge(count._1(), count._2(), Long::sum);
    }
    requireRoom(rows);
    return new CachedRows(rows, rowsByExecutor);
  }

  private static Iterator<Tuple2<String, Long>> counted(Iterator<Tuple2<Object, Vector>> rows) {
    long count = 0;
    for (; rows.hasNext(); rows.next()) {
      count++;
    }
    return List.of(new Tuple2<>(SparkEnv.get().executorId(), count)).iterator();
  }

  private static void requireRoom(JavaRDD<?> rows) {
    int parts = rows.getNumPartitions();
    SparkContext context = rows.context();
    int cached =
        Arrays.stream(context.getRDDStorageInfo())
            .filter(info -> info.id() == rows.id())
            .mapToInt(info -> info.numCachedPartitions())
            .sum();
    if (cached < parts) {
      throw new RunFailure(
          "Cannot cache the data: "
              + cached
              + " of "
              + parts
              + " partitions fit. Give the executors more memory, or take fewer rows.");
    }
  }

  /** The rows, for MLlib. */
  public RDD<Tuple2<Object, Vector>> rdd() {
    return rows.rdd();
  }

  /** The rows that each executor made and caches. */
  public Map<String, Long> rowsByExecutor() {
    return rowsByExecutor;
  }

  /** Waits until every executor has let go of its rows. */
  @Override
  public void close() {
    rows.unpersist(/* blocking= */ true);
  }
}
