package io.sparkata.blocks;

import io.sparkata.spark.SparkBlocks;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/** The rows of an RDD in Spark's block managers, under RDD ids of their own. */
public final class PackedData extends PackedPartitions {
  private final RDD<Tuple2<Object, Vector>> data;
  private final BlockPacker packer;
  private final List<Integer> rddIds = new ArrayList<>();

  private PackedData(RDD<Tuple2<Object, Vector>> data, long blockBytes) {
    super(data.context(), data.getNumPartitions());
    this.data = data;
    this.packer = new BlockPacker(data, blockBytes);
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
      packed.packAll();
      packed.checkRoom();
      return packed;
    } catch (Throwable error) {
      packed.close();
      throw error;
    }
  }

  @Override
  protected RDD<?> data() {
    return data;
  }

  @Override
  protected List<PackedPartition> pack(int[] wanted) {
    int rddId = SparkBlocks.newRddId(data.context());
    rddIds.add(rddId);
    return packer.pack(rddId, wanted);
  }

  @Override
  protected void remove() {
    rddIds.forEach(rddId -> SparkBlocks.removeRdd(data.context(), rddId));
    rddIds.clear();
  }
}
