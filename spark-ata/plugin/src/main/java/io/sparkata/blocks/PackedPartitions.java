package io.sparkata.blocks;

import io.sparkata.spark.SparkBlocks;
import io.sparkata.spark.SparkJobs;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of an RDD in Spark's block managers.
 *
 * <p>If a block is lost, its whole partition is packed again, because computing a partition again
 * may change the order of its rows. If it may change the rows, every partition is packed again.
 */
public abstract class PackedPartitions implements PackedRows {
  private static final Logger LOG = LoggerFactory.getLogger(PackedPartitions.class);

  private final SparkContext context;
  private final PackedPartition[] partitions;
  private Blocks blocks = Blocks.of(List.of());

  /**
   * @param count of the RDD's partitions
   */
  protected PackedPartitions(SparkContext context, int count) {
    this.context = context;
    this.partitions = new PackedPartition[count];
  }

  /** The RDD. */
  protected abstract RDD<?> data();

  /**
   * Packs partitions by a Spark job.
   *
   * @param wanted ascending partition numbers
   * @return one entry per partition
   */
  protected abstract List<PackedPartition> pack(int[] wanted);

  /** Removes all copies of all blocks. */
  protected abstract void remove();

  /** Packs every partition; blocks that did not fit are a {@link #refusal}. */
  protected final void packAll() {
    take(pack(allPartitions()));
  }

  private int[] allPartitions() {
    return IntStream.range(0, partitions.length).toArray();
  }

  /** Replaces partitions by what was packed. */
  protected final void take(List<PackedPartition> packed) {
    packed.forEach(one -> partitions[one.partition()] = one);
    blocks =
        Blocks.of(
            Arrays.stream(partitions)
                .filter(Objects::nonNull)
                .flatMap(one -> one.blocks().stream())
                .toList());
  }

  /** A block that did not fit into free storage memory; empty if all are stored. */
  public final Optional<NoRoomException> refusal() {
    return Arrays.stream(partitions)
        .filter(one -> one.bytesRefused() > 0)
        .findFirst()
        .map(one -> new NoRoomException(one.partition(), one.bytesRefused()));
  }

  /** Throws the {@link #refusal}, if there is one. */
  protected final void checkRoom() {
    refusal()
        .ifPresent(
            refusal -> {
              throw refusal;
            });
  }

  @Override
  public final int repack(Collection<Integer> lost) {
    int[] wanted =
        SparkJobs.isIndeterminate(data())
            ? allPartitions()
            : lost.stream()
                .mapToInt(at -> blocks.get(at).partition())
                .sorted()
                .distinct()
                .toArray();
    for (int partition : wanted) {
      partitions[partition].blocks().forEach(block -> SparkBlocks.removeBlock(context, block.id()));
    }
    take(pack(wanted));
    checkRoom();
    return wanted.length;
  }

  @Override
  public final Blocks blocks() {
    return blocks;
  }

  @Override
  public final Map<String, Double> packingNanosPerRow() {
    Map<String, Double> nanos = new HashMap<>();
    Map<String, Long> rows = new HashMap<>();
    Arrays.stream(partitions)
        .filter(Objects::nonNull)
        .forEach(
            one -> {
              nanos.merge(one.executorId(), (double) one.nanos(), Double::sum);
              rows.merge(one.executorId(), one.rows(), Long::sum);
            });
    rows.forEach((executor, n) -> nanos.compute(executor, (id, all) -> n == 0 ? null : all / n));
    return nanos;
  }

  /** The layout of the first block of all; empty if there is none. */
  public final String layout() {
    return Arrays.stream(partitions)
        .map(PackedPartition::layout)
        .filter(layout -> !layout.isEmpty())
        .findFirst()
        .orElse("");
  }

  @Override
  public final List<List<String>> holders() {
    return SparkBlocks.holders(context, blocks.stream().map(BlockRef::id).toList());
  }

  /** Spark has removed the blocks. */
  public final void forget() {
    blocks = Blocks.of(List.of());
  }

  /** Never throws: a failure here must not lose the user's trained model. */
  @Override
  public final void close() {
    try {
      if (!context.isStopped()) {
        remove();
      }
    } catch (Exception error) {
      LOG.warn(
          "Spark ATA: cannot remove packed blocks ({}); they stay until storage memory is needed",
          error.toString());
    }
    forget();
  }
}
