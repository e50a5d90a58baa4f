package io.sparkata.blocks;

import io.sparkata.spark.SparkBlocks;
import io.sparkata.spark.SparkJobs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * An RDD's rows in Spark's block managers.
 *
 * <p>If a block is lost, its whole partition is packed again, because computing a partition again
 * may change the order of its rows. If it may change the rows, every partition is packed again.
 */
public final class PackedData implements PackedRows {
  private static final Logger LOG = LoggerFactory.getLogger(PackedData.class);

  private final SparkContext context;
  private final RDD<Tuple2<Object, Vector>> data;
  private final BlockPacker packer;
  private final PackedPartition[] partitions;
  private final List<Integer> rddIds = new ArrayList<>();
  private Blocks blocks;

  private PackedData(RDD<Tuple2<Object, Vector>> data, long blockBytes) {
    this.context = data.context();
    this.data = data;
    this.packer = new BlockPacker(data, blockBytes);
    this.partitions = new PackedPartition[data.getNumPartitions()];
    this.blocks = Blocks.of(List.of());
  }

  /**
   * Packs every partition by a Spark job.
   *
   * @param blockBytes the most bytes of a block, unless one row takes more
   * @throws NoRoomException if a block does not fit into free storage memory; then no block stays
   */
  public static PackedData pack(RDD<Tuple2<Object, Vector>> data, long blockBytes) {
    PackedData packed = new PackedData(data, blockBytes);
    try {
      packed.pack(packed.allPartitions());
      return packed;
    } catch (Throwable error) {
      packed.close();
      throw error;
    }
  }

  @Override
  public int repack(Collection<Integer> lost) {
    int[] wanted = allPartitions();
    if (!SparkJobs.isIndeterminate(data)) {
      TreeSet<Integer> ofLost = new TreeSet<>();
      lost.forEach(position -> ofLost.add(blocks.get(position).partition()));
      wanted = ofLost.stream().mapToInt(Integer::intValue).toArray();
    }
    for (int partition : wanted) {
      partitions[partition].blocks().forEach(block -> SparkBlocks.removeBlock(context, block.id()));
    }
    pack(wanted);
    return wanted.length;
  }

  private int[] allPartitions() {
    return IntStream.range(0, partitions.length).toArray();
  }

  private void pack(int[] wanted) {
    if (wanted.length == 0) {
      return;
    }
    int rddId = SparkBlocks.newRddId(context);
    rddIds.add(rddId);
    for (PackedPartition packed : packer.pack(rddId, wanted)) {
      if (packed.bytesRefused() > 0) {
        throw new NoRoomException(packed.partition(), packed.bytesRefused());
      }
      partitions[packed.partition()] = packed;
    }
    blocks = Blocks.of(Arrays.stream(partitions).flatMap(one -> one.blocks().stream()).toList());
  }

  @Override
  public Blocks blocks() {
    return blocks;
  }

  /** The layout of the rows in the first partition that has any; empty if none has. */
  public String layout() {
    return PackedPartition.layoutOf(partitions);
  }

  @Override
  public List<List<String>> holders() {
    List<RDDBlockId> ids = blocks.stream().map(BlockRef::id).toList();
    return SparkBlocks.holders(context, ids);
  }

  /** Never throws: a failure here must not lose the user's trained model. */
  @Override
  public void close() {
    try {
      if (!context.isStopped()) {
        rddIds.forEach(rddId -> SparkBlocks.removeRdd(context, rddId));
      }
    } catch (Exception error) {
      LOG.warn(
          "Spark ATA: cannot remove packed blocks ({}); they stay until storage memory is needed",
          error.toString());
    }
    rddIds.clear();
    blocks = Blocks.of(List.of());
  }
}
