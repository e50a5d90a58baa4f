package io.sparkata.objective;

import io.sparkata.blocks.ElementPacker;
import io.sparkata.blocks.PackedPartition;
import io.sparkata.blocks.PackingAttempt;
import io.sparkata.rounds.ExecutorMetrics;
import io.sparkata.rounds.Summand.Partial;
import io.sparkata.rounds.TaskReport;
import io.sparkata.spark.ExecutorInternals;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Packs the partitions of a persisted RDD and sums their elements on the way. It reads past Spark's
 * cache, so that the blocks are the only copy; what Spark has cached already is not computed again.
 *
 * <p>The blocks are stored under the RDD's own id, so that Spark removes them when the RDD is
 * unpersisted. Spark's own blocks there have the numbers below the number of partitions.
 */
final class PackingRdd extends RDD<PackedSum> {
  private static final long serialVersionUID = 1L;
  private static final ClassTag<PackedSum> TAG = ClassTag$.MODULE$.apply(PackedSum.class);

  private final FoldSum sum;
  private final int all;
  private final int first;
  private final long blockBytes;

  /**
   * @param sum null to pack only
   * @param first number of a partition's first block, at least 1
   * @param blockBytes the most bytes of a block, unless one element takes more
   */
  PackingRdd(RDD<Object> data, FoldSum sum, int first, long blockBytes) {
    super(data, TAG);
    this.sum = sum;
    this.all = data.getNumPartitions();
    this.first = first;
    this.blockBytes = blockBytes;
    setName("Spark ATA packing");
  }

  @Override
  public Partition[] getPartitions() {
    return data().partitions();
  }

  private RDD<Object> data() {
    return firstParent(ClassTag$.MODULE$.Object());
  }

  @Override
  public Iterator<PackedSum> compute(Partition split, TaskContext task) {
    RDD<Object> data = data();
    RDDBlockId cached = new RDDBlockId(data.id(), split.index());
    java.util.Iterator<Object> elements = ExecutorInternals.elements(data, split, task);
    RDDBlockId shared = ExecutorInternals.holdsObjects(cached) ? cached : null;
    PackingAttempt attempt = new PackingAttempt(data.id(), split.index(), all, first);
    ElementPacker packer = new ElementPacker(attempt, blockBytes, shared);
    TaskReport report = new TaskReport(ExecutorInternals.executorId());
    Partial<Object> partial = sum == null ? null : sum.begin(task);
    PackedPartition packed =
        packer.pack(
            elements,
            block -> {
              report.rows += block.rows();
              report.sampledRows += block.rows();
              if (partial != null) {
                long start = System.nanoTime();
                partial.add(block, /* rows= */ null, /* first= */ 0, block.rows());
                report.kernelNanos += System.nanoTime() - start;
              }
            });
    PackedSum all = new PackedSum(partial == null ? null : partial.sum(), packed, report);
    if (partial != null) {
      ExecutorMetrics.add(report);
    }
    return Iterator$.MODULE$.single(all);
  }
}
