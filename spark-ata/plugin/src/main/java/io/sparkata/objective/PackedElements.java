package io.sparkata.objective;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.NoRoomException;
import io.sparkata.blocks.PackedPartition;
import io.sparkata.blocks.PackedRows;
import io.sparkata.spark.PlainJobs;
import io.sparkata.spark.SparkBlocks;
import io.sparkata.spark.SparkJobs;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.runtime.AbstractFunction2;

/**
 * The elements of a persisted RDD in Spark's block managers. It does not hold the RDD between
 * evaluations: Spark unpersists an RDD that is garbage. Driver only, one thread at a time.
 */
final class PackedElements implements PackedRows {
  private static final Logger LOG = LoggerFactory.getLogger(PackedElements.class);

  private final SparkContext context;
  private final long blockBytes;
  private final PackedPartition[] partitions;
  private RDD<Object> data;
  private int next = 1;
  private Blocks blocks = Blocks.of(List.of());

  /**
   * @param count of the RDD's partitions
   */
  PackedElements(SparkContext context, int count, long blockBytes) {
    this.context = context;
    this.blockBytes = blockBytes;
    this.partitions = new PackedPartition[count];
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
      take(all.partitions());
      return all;
    } catch (Throwable error) { // what other tasks have stored is known to executors only
      if (!context.isStopped()) {
        SparkBlocks.removeBlocks(context, data.id(), /* from= */ partitions.length);
      }
      throw error;
    }
  }

  private static PackedSum byTree(PackingRdd packing, FoldSum sum, SumCall call) {
    Merge merge = new Merge(sum);
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

  private static final class Merge extends AbstractFunction2<PackedSum, PackedSum, PackedSum>
      implements Serializable {
    private static final long serialVersionUID = 1L;
    private final FoldSum sum;

    Merge(FoldSum sum) {
      this.sum = sum;
    }

    @Override
    public PackedSum apply(PackedSum left, PackedSum right) {
      return left.add(right, sum);
    }
  }

  private void take(List<PackedPartition> packed) {
    int most = 0;
    for (PackedPartition one : packed) {
      partitions[one.partition()] = one;
      most = Math.max(most, one.blocks().size());
    }
    next = Math.addExact(next, most);
    blocks =
        Blocks.of(
            Arrays.stream(partitions)
                .filter(one -> one != null)
                .flatMap(one -> one.blocks().stream())
                .toList());
  }

  /** A block that did not fit into free storage memory; empty if all elements are stored. */
  Optional<NoRoomException> refusal() {
    return Arrays.stream(partitions)
        .filter(one -> one.bytesRefused() > 0)
        .findFirst()
        .map(one -> new NoRoomException(one.partition(), one.bytesRefused()));
  }

  @Override
  public int repack(Collection<Integer> lost) {
    int[] wanted = IntStream.range(0, partitions.length).toArray();
    if (!SparkJobs.isIndeterminate(data)) {
      TreeSet<Integer> ofLost = new TreeSet<>();
      lost.forEach(position -> ofLost.add(blocks.get(position).partition()));
      wanted = ofLost.stream().mapToInt(Integer::intValue).toArray();
    }
    for (int partition : wanted) {
      remove(partitions[partition].blocks());
    }
    PackingRdd packing = new PackingRdd(data, /* sum= */ null, next, blockBytes);
    List<PackedPartition> packed = new ArrayList<>();
    for (List<PackedSum> one :
        JavaRDD.fromRDD(packing, packing.elementClassTag()).collectPartitions(wanted)) {
      one.forEach(sum -> packed.addAll(sum.partitions()));
    }
    take(packed);
    Optional<NoRoomException> refusal = refusal();
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    return wanted.length;
  }

  @Override
  public Blocks blocks() {
    return blocks;
  }

  /** The layout of the elements in the first partition that has any; empty if none has. */
  String layout() {
    return PackedPartition.layoutOf(partitions);
  }

  @Override
  public List<List<String>> holders() {
    List<RDDBlockId> ids = blocks.stream().map(BlockRef::id).toList();
    return SparkBlocks.holders(context, ids);
  }

  /** Spark has removed the blocks. */
  void forget() {
    blocks = Blocks.of(List.of());
  }

  private void remove(List<BlockRef> refs) {
    refs.forEach(block -> SparkBlocks.removeBlock(context, block.id()));
  }

  /** Never throws: a failure here must not lose the user's trained model. */
  @Override
  public void close() {
    try {
      if (!context.isStopped()) {
        remove(blocks);
      }
    } catch (Exception error) {
      LOG.warn(
          "Spark ATA: cannot remove packed blocks ({}); they stay until storage memory is needed",
          error.toString());
    }
    blocks = Blocks.of(List.of());
  }
}
