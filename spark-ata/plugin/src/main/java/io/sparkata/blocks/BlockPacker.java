package io.sparkata.blocks;

import io.sparkata.spark.ExecutorInternals;
import java.io.Serializable;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.PartitionPruningRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.util.TaskFailureListener;
import scala.Tuple2;
import scala.runtime.AbstractFunction1;

/**
 * Packs partitions of the caller's RDD into blocks, one Spark job per call. Every attempt at a
 * partition marks its blocks with its own packing id. After a shuffle, two attempts may see the
 * rows in different orders, and their blocks must never be mixed.
 */
public final class BlockPacker {
  private final RDD<Tuple2<Object, Vector>> data;
  private final long blockBytes;

  /**
   * @param data (label, features) rows
   * @param blockBytes the most bytes of a block, unless one row takes more
   */
  public BlockPacker(RDD<Tuple2<Object, Vector>> data, long blockBytes) {
    this.data = data;
    this.blockBytes = blockBytes;
  }

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
      wanted = PartitionPruningRDD.create(data, new Wanted(partitions));
    }
    PackTask task = new PackTask(rddId, partitions, all, blockBytes);
    JavaRDD<Tuple2<Object, Vector>> rows = JavaRDD.fromRDD(wanted, data.elementClassTag());
    JavaRDD<PackedPartition> packed =
        rows.mapPartitionsWithIndex(task::pack, /* preservesPartitioning= */ true);
    packed.setName("Spark ATA packing");
    return packed.collect();
  }

  private static final class Wanted extends AbstractFunction1<Object, Object>
      implements Serializable {
    private static final long serialVersionUID = 1L;
    private final int[] partitions;

    Wanted(int[] partitions) {
      this.partitions = partitions;
    }

    @Override
    public Object apply(Object partition) {
      return Arrays.binarySearch(partitions, (Integer) partition) >= 0;
    }
  }

  /**
   * Runs on executors. The n-th block of partition p of P has the number {@code n * P + p}: small
   * numbers, because with dynamic allocation Spark's driver keeps a bit per executor for each
   * number up to the largest.
   */
  private static final class PackTask implements Serializable {
    private static final long serialVersionUID = 1L;
    private final int rddId;
    private final int[] partitions;
    private final int all;
    private final long blockBytes;

    PackTask(int rddId, int[] partitions, int all, long blockBytes) {
      this.rddId = rddId;
      this.partitions = partitions;
      this.all = all;
      this.blockBytes = blockBytes;
    }

    Iterator<PackedPartition> pack(int index, Iterator<Tuple2<Object, Vector>> rows) {
      Attempt attempt = new Attempt(partitions[index]);
      TaskContext.get()
          .addTaskFailureListener((TaskFailureListener) (context, error) -> attempt.undo());
      BlockBuilder builder = new BlockBuilder(attempt.packingId, blockBytes);
      while (rows.hasNext() && attempt.bytesRefused == 0) {
        Tuple2<Object, Vector> row = rows.next();
        if (!builder.add((Double) row._1(), row._2())) {
          attempt.store(builder.build());
          builder.add((Double) row._1(), row._2());
        }
      }
      if (builder.rows() > 0 && attempt.bytesRefused == 0) {
        attempt.store(builder.build());
      }
      return List.of(
              new PackedPartition(
                  attempt.partition, attempt.stored, attempt.bytesRefused, attempt.layout))
          .iterator();
    }

    private final class Attempt {
      private final int partition;
      private final long packingId = new SecureRandom().nextLong();
      private final List<BlockRef> stored = new ArrayList<>();
      private long rows;
      private long bytesRefused;
      private String layout = "";

      Attempt(int partition) {
        this.partition = partition;
      }

      void store(PackedBlock block) {
        int number = stored.size();
        if (number > (Integer.MAX_VALUE - partition) / all) {
          throw new IllegalStateException(
              "Cannot pack partition "
                  + partition
                  + ": more than "
                  + number
                  + " blocks. Set spark.ata.blockSize to a larger size");
        }
        int index = number * all + partition;
        RDDBlockId id = new RDDBlockId(rddId, index);
        ExecutorInternals.drop(id); // that of an earlier attempt, if any
        if (!BlockStore.put(id, block)) {
          bytesRefused = block.bytes();
          undo();
          return;
        }
        stored.add(
            new BlockRef(rddId, index, partition, rows, block.rows(), block.bytes(), packingId));
        rows += block.rows();
        layout = layout.isEmpty() ? block.layout() : layout;
      }

      /** Works on an interrupted thread too: Spark kills the slower of two attempts that way. */
      void undo() {
        boolean wasInterrupted = Thread.interrupted();
        try {
          for (BlockRef ref : stored) {
            ExecutorInternals.drop(ref.id());
          }
        } finally {
          if (wasInterrupted) {
            Thread.currentThread().interrupt();
          }
        }
      }
    }
  }
}
