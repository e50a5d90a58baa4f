package io.sparkata.objective;

import io.sparkata.blocks.PackedPartition;
import io.sparkata.blocks.PackedPartitions;
import io.sparkata.spark.PlainJobs;
import io.sparkata.spark.SparkBlocks;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.Function2;

/**
 * The elements of a persisted RDD in Spark's block managers. It does not hold the RDD between
 * evaluations: Spark unpersists an RDD that is garbage. Driver only, one thread at a time.
 */
final class PackedElements extends PackedPartitions {
  private final SparkContext context;
  private final long blockBytes;
  private RDD<Object> data;
  private int next = 1;

  /**
   * @param count of the RDD's partitions
   */
  PackedElements(SparkContext context, int count, long blockBytes) {
    super(context, count);
    this.context = context;
    this.blockBytes = blockBytes;
  }

  /** Runs an evaluation of this RDD. */
  <T> T with(RDD<Object> now, Supplier<T> evaluation) {
    data = now;
    try {
      return evaluation.get();
    } finally {
      data = null;
    }
  }

  /**
   * Packs all elements and sums them, by one job. The sum is right even if there is no room.
   *
   * @param isTree whether executors add up partial sums, as Spark would; else the driver does
   */
  PackedSum packAndSum(FoldSum sum, SumCall call, boolean isTree) {
    PackingRdd packing = new PackingRdd(data, sum, next, blockBytes);
    try {
      PackedSum all = isTree ? byTree(packing, sum, call) : byDriver(packing, sum);
      take(numbered(all.partitions()));
      return all;
    } catch (Throwable error) { // what other tasks have stored is known to executors only
      if (!context.isStopped()) {
        SparkBlocks.removeBlocks(context, data.id(), /* from= */ data.getNumPartitions());
      }
      throw error;
    }
  }

  private static PackedSum byTree(PackingRdd packing, FoldSum sum, SumCall call) {
    Function2<PackedSum, PackedSum, PackedSum> merge =
        (Function2<PackedSum, PackedSum, PackedSum> & Serializable) (l, r) -> l.add(r, sum);
    return packing.treeAggregate(
        new PackedSum(sum.zero()),
        merge,
        merge,
        call.depth(),
        call.endsOnExecutor(),
        packing.elementClassTag());
  }

  private static PackedSum byDriver(PackingRdd packing, FoldSum sum) {
    PackedSum all = new PackedSum(sum.zero());
    PlainJobs.run(packing, one -> all.add(one, sum));
    return all;
  }

  /** Later blocks get numbers above those of {@code packed}. */
  private List<PackedPartition> numbered(List<PackedPartition> packed) {
    int most = packed.stream().mapToInt(one -> one.blocks().size()).max().orElse(0);
    next = Math.addExact(next, most);
    return packed;
  }

  @Override
  protected RDD<?> data() {
    return data;
  }

  @Override
  protected List<PackedPartition> pack(int[] wanted) {
    PackingRdd packing = new PackingRdd(data, /* sum= */ null, next, blockBytes);
    List<PackedPartition> packed = new ArrayList<>();
    for (List<PackedSum> one :
        JavaRDD.fromRDD(packing, packing.elementClassTag()).collectPartitions(wanted)) {
      one.forEach(sum -> packed.addAll(sum.partitions()));
    }
    return numbered(packed);
  }

  @Override
  protected void remove() {
    blocks().forEach(block -> SparkBlocks.removeBlock(context, block.id()));
  }
}
