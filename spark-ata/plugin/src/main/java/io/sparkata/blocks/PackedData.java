package io.sparkata.blocks;

import io.sparkata.spark.SparkInternals;
import java.util.ArrayList;
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
 * The packed form of one training's rows: which blocks there are and who holds them. Driver only.
 *
 * <p>A lost block costs its whole partition a new packing, because a second look at a partition may
 * see another order of rows; where it may see other rows, every partition is packed again.
 */
public final class PackedData implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PackedData.class);

  private final SparkContext context;
  private final RDD<Tuple2<Object, Vector>> data;
  private final BlockPacker packer;
  private final List<Integer> rddIds = new ArrayList<>();
  private PackedPartition[] partitions;
  private Blocks blocks = Blocks.of(List.of());

  public PackedData(RDD<Tuple2<Object, Vector>> data, long blockBytes) {
    this.context = data.context();
    this.data = data;
    this.packer = new BlockPacker(data, blockBytes);
  }

  /**
   * Packs every partition.
   *
   * @throws NoRoomException if a block found no free storage memory
   */
  public void packAll() {
    partitions = new PackedPartition[data.getNumPartitions()];
    pack(IntStream.range(0, partitions.length).toArray());
  }

  /**
   * Packs again what the given blocks belong to.
   *
   * @param lost positions in {@link #blocks}
   * @return the number of partitions packed
   */
  public int repack(Collection<Integer> lost) {
    if (SparkInternals.isIndeterminate(data)) {
      blocks.forEach(block -> SparkInternals.removeBlock(context, block.id()));
      packAll();
      return partitions.length;
    }
    TreeSet<Integer> wanted = new TreeSet<>();
    lost.forEach(position -> wanted.add(blocks.get(position).partition()));
    for (int partition : wanted) {
      partitions[partition]
          .blocks()
          .forEach(block -> SparkInternals.removeBlock(context, block.id()));
    }
    pack(wanted.stream().mapToInt(Integer::intValue).toArray());
    return wanted.size();
  }

  private void pack(int[] wanted) {
    if (wanted.length == 0) {
      return;
    }
    int rddId = SparkInternals.newRddId(context);
    rddIds.add(rddId);
    for (PackedPartition packed : packer.pack(rddId, wanted)) {
      if (packed.bytesRefused() > 0) {
        throw new NoRoomException(packed.partition(), packed.bytesRefused());
      }
      partitions[packed.partition()] = packed;
    }
    List<BlockRef> all = new ArrayList<>();
    for (PackedPartition partition : partitions) {
      all.addAll(partition.blocks());
    }
    blocks = Blocks.of(all);
  }

  /** All blocks in row order. */
  public Blocks blocks() {
    return blocks;
  }

  /** The rows' form, by the first partition that has any; empty if none has. */
  public String layout() {
    for (PackedPartition partition : partitions) {
      if (partition.layout() != null) {
        return partition.layout();
      }
    }
    return "";
  }

  /** Number of rows. */
  public long rows() {
    return blocks.rows();
  }

  /** Bytes of one copy of all blocks. */
  public long bytes() {
    return blocks.bytes();
  }

  /** Per block the executors that have a copy, as the master knows now. */
  public List<List<String>> holders() {
    List<RDDBlockId> ids = blocks.stream().map(BlockRef::id).toList();
    return SparkInternals.holders(context, ids);
  }

  /** Removes every copy everywhere; trouble with that must not cost the user a trained model. */
  @Override
  public void close() {
    try {
      if (!context.isStopped()) {
        rddIds.forEach(rddId -> SparkInternals.removeRdd(context, rddId));
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
