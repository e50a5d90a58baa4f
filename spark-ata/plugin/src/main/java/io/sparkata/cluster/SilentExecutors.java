package io.sparkata.cluster;

import io.sparkata.spark.SparkBlocks;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerBlockManagerAdded;
import org.apache.spark.scheduler.SparkListenerBlockUpdated;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerUnpersistRDD;
import org.apache.spark.storage.BlockUpdatedInfo;
import org.apache.spark.storage.RDDBlockId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executors that gave no sign of life. Spark's master forgets their blocks, as if they were lost;
 * so they do not count as live, and no task waits for a block of theirs. If such an executor goes
 * on, its next heartbeat registers all its blocks again.
 *
 * <p>Blocks that come to RDDs that are unpersisted are removed: those of such executors, and those
 * that executors were fetching from each other when a training ended.
 */
public final class SilentExecutors extends SparkListener {
  private static final Logger LOG = LoggerFactory.getLogger(SilentExecutors.class);

  /** The last ones: later blocks of earlier ones are not to be expected. */
  private static final int MOST_UNPERSISTED = 10_000;

  private final SparkContext context;
  private final Set<String> silent = new HashSet<>();
  private final Set<Integer> unpersisted = new LinkedHashSet<>();

  SilentExecutors(SparkContext context) {
    this.context = context;
  }

  /**
   * Receives an executor that gives no sign of life. Spark would give it its part of a job, wait
   * for its blocks, and take a minute or two to notice. Spark's scheduler counts its tasks there
   * until the executor answers, so it gets no other task.
   *
   * @param seconds for how long
   */
  public synchronized void add(String executorId, double seconds) {
    LOG.warn(
        "Spark ATA: executor {} is silent for {} s; rounds go on without it until its next"
            + " heartbeat, and its blocks are packed again. Set spark.ata.enabled=false to wait as"
            + " Spark does",
        executorId,
        String.format(Locale.ROOT, "%.1f", seconds));
    silent.add(executorId);
    SparkBlocks.forgetBlocks(context, executorId);
  }

  @Override
  public synchronized void onUnpersistRDD(SparkListenerUnpersistRDD event) {
    unpersisted.add(event.rddId());
    if (unpersisted.size() > MOST_UNPERSISTED) {
      unpersisted.remove(unpersisted.iterator().next());
    }
  }

  @Override
  public synchronized void onBlockManagerAdded(SparkListenerBlockManagerAdded event) {
    silent.remove(event.blockManagerId().executorId());
  }

  @Override
  public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    silent.remove(event.executorId());
  }

  @Override
  public synchronized void onBlockUpdated(SparkListenerBlockUpdated event) {
    BlockUpdatedInfo block = event.blockUpdatedInfo();
    if (block.storageLevel().isValid()
        && block.blockId() instanceof RDDBlockId id
        && unpersisted.contains(id.rddId())
        && !SparkBlocks.isPersisted(context, id.rddId())) { // it may be persisted again
      SparkBlocks.removeBlock(context, id, block.blockManagerId());
    }
  }
}
