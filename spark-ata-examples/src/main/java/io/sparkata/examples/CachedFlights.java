package io.sparkata.examples;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** The training rows in the executors' memory, one partition per slot. Driver only. */
final class CachedFlights implements AutoCloseable {
  private static final int ATTEMPTS = 3;

  private final JavaRDD<Tuple2<Object, Vector>> rows;
  private final Map<String, Long> rowsByExecutor;

  private CachedFlights(JavaRDD<Tuple2<Object, Vector>> rows, Map<String, Long> rowsByExecutor) {
    this.rows = rows;
    this.rowsByExecutor = rowsByExecutor;
  }

  /**
   * Caches and counts.
   *
   * @param slots of each executor: the partitions that it has to hold
   */
  static CachedFlights cache(
      JavaSparkContext context,
      Broadcast<Flights> flights,
      FlightFeatures features,
      Map<String, Integer> slots) {
    int parts = slots.values().stream().mapToInt(Integer::intValue).sum();
    Map<String, Integer> held = Map.of();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      // No preferred locations and all slots free: Spark starts one task in each.
      JavaRDD<Tuple2<Object, Vector>> rows =
          context
              .parallelize(IntStream.range(0, parts).boxed().toList(), parts)
              .flatMap(part -> flights.value().part(part, parts, features))
              .persist(StorageLevel.MEMORY_ONLY());
      List<Tuple2<String, Long>> counts = rows.mapPartitions(CachedFlights::count).collect();
      held = new TreeMap<>();
      Map<String, Long> rowsByExecutor = new TreeMap<>();
      for (Tuple2<String, Long> count : counts) {
        held.merge(count._1(), 1, Integer::sum);
        rowsByExecutor.merge(count._1(), count._2(), Long::sum);
      }
      requireRoom(context, rows, parts);
      if (held.equals(slots)) {
        return new CachedFlights(rows, rowsByExecutor);
      }
      rows.unpersist(/* blocking= */ true);
    }
    throw new DemoFailure(
        "Cannot spread the data evenly: partitions by executor "
            + held
            + ", slots "
            + slots
            + ". Run the demo with the cluster to itself.");
  }

  private static java.util.Iterator<Tuple2<String, Long>> count(
      java.util.Iterator<Tuple2<Object, Vector>> rows) {
    long count = 0;
    for (; rows.hasNext(); rows.next()) {
      count++;
    }
    return List.of(new Tuple2<>(SparkEnv.get().executorId(), count)).iterator();
  }

  private static void requireRoom(JavaSparkContext context, JavaRDD<?> rows, int parts) {
    int cached =
        java.util.Arrays.stream(context.sc().getRDDStorageInfo())
            .filter(info -> info.id() == rows.id())
            .mapToInt(info -> info.numCachedPartitions())
            .sum();
    if (cached < parts) {
      throw new DemoFailure(
          "Cannot cache the data: "
              + cached
              + " of "
              + parts
              + " partitions fit. Set --memory to more, or --rows to fewer.");
    }
  }

  RDD<Tuple2<Object, Vector>> rdd() {
    return rows.rdd();
  }

  /** The rows that each executor caches. */
  Map<String, Long> rowsByExecutor() {
    return rowsByExecutor;
  }

  /** Waits until every executor has let go of its rows. */
  @Override
  public void close() {
    rows.unpersist(/* blocking= */ true);
  }
}
