package io.sparkata.blocks;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.PartitionPruningRDD;
import org.apache.spark.rdd.RDD;
import scala.Function1;
import scala.Tuple2;

/**
 * Packs partitions of the caller's RDD into blocks, one Spark job per call. Every attempt at a
 * partition marks its blocks with its own packing id. After a shuffle, two attempts may see the
 * rows in different orders, and their blocks must never be mixed.
 *
 * @param data (label, features) rows
 * @param blockBytes the most bytes of a block, unless one row takes more
 */
public record BlockPacker(RDD<Tuple2<Object, Vector>> data, long blockBytes) {

  /**
   * Packs the given partitions under {@code rddId}. Driver only; blocks until the job ends.
   *
   * @param partitions ascending partition numbers
   * @return one entry per partition, in order
   */
  public List<PackedPartition> pack(int rddId, int[] partitions) {
    RDD<Tuple2<Object, Vector>> wanted = data;
    int all = data.getNumPartitions();
    if (partitions.length < all) {
      wanted =
          PartitionPruningRDD.create(
              data,
              (Function1<Object, Object> & Serializable)
                  partition -> Arrays.binarySearch(partitions, (Integer) partition) >= 0);
    }
    PackTask task = new PackTask(rddId, partitions, all, blockBytes);
    JavaRDD<Tuple2<Object, Vector>> rows = JavaRDD.fromRDD(wanted, data.elementClassTag());
    JavaRDD<PackedPartition> packed =
        rows.mapPartitionsWithIndex(task::pack, /* preservesPartitioning= */ true);
    packed.setName("Spark ATA packing");
    return packed.collect();
  }

  /** Runs on executors. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record PackTask(int rddId, int[] partitions, int all, long blockBytes)
      implements Serializable {

    Iterator<PackedPartition> pack(int index, Iterator<Tuple2<Object, Vector>> rows) {
      PackingAttempt attempt = new PackingAttempt(rddId, partitions[index], all, /* first= */ 0);
      BlockBuilder builder = new BlockBuilder(attempt.packingId(), blockBytes);
      TaskContext context = TaskContext.get();
      while (rows.hasNext() && !attempt.isRefused()) {
        context.killTaskIfInterrupted(); // another attempt was faster
        Tuple2<Object, Vector> row = rows.next();
        if (!builder.add((Double) row._1(), row._2())) {
          attempt.store(builder.build());
          builder.add((Double) row._1(), row._2());
        }
      }
      if (builder.rows() > 0 && !attempt.isRefused()) {
        attempt.store(builder.build());
      }
      return List.of(attempt.result()).iterator();
    }
  }
}
