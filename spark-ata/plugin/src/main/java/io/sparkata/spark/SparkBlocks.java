package io.sparkata.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListenerBlockUpdated;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.BlockUpdatedInfo;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.storage.StorageStatus;
import scala.Tuple2;

/** Spark's block manager master and persisted RDDs. Driver only. */
public final class SparkBlocks {
  private SparkBlocks() {}

  /**
   * A live block manager as the master sees it. Bytes are storage memory on the heap, or fewer: the
   * master knows only the sum of memory on and off the heap, from which all off-heap memory is
   * subtracted.
   */
  public record LiveBlockManager(
      String executorId, String host, long maxBytes, long freeBytes, boolean isDriver) {}

  /** Every block manager that the master counts as alive, the driver's included. */
  public static List<LiveBlockManager> liveBlockManagers(SparkContext context) {
    List<LiveBlockManager> live = new ArrayList<>();
    long offHeap = offHeapBytes(context.env().conf());
    for (Tuple2<BlockManagerId, Tuple2<Object, Object>> entry :
        Scala.each(context.env().blockManager().master().getMemoryStatus())) {
      BlockManagerId id = entry._1();
      live.add(
          new LiveBlockManager(
              id.executorId(),
              id.host(),
              (Long) entry._2()._1() - offHeap,
              Math.max(0, (Long) entry._2()._2() - offHeap),
              id.isDriver()));
    }
    return live;
  }

  private static long offHeapBytes(SparkConf conf) {
    return conf.getBoolean("spark.memory.offHeap.enabled", false)
        ? conf.getSizeAsBytes("spark.memory.offHeap.size", "0")
        : 0;
  }

  /** The executors that hold each block, by one request to the master. */
  public static List<List<String>> holders(SparkContext context, List<RDDBlockId> blocks) {
    List<List<String>> holders = new ArrayList<>(blocks.size());
    BlockId[] ids = blocks.toArray(new BlockId[0]);
    for (scala.collection.Seq<BlockManagerId> managers :
        Scala.each(context.env().blockManager().master().getLocations(ids))) {
      List<String> executors = new ArrayList<>(2);
      Scala.each(managers).forEach(manager -> executors.add(manager.executorId()));
      holders.add(executors);
    }
    return holders;
  }

  /**
   * Makes Spark's master forget an executor's blocks, as if it were lost. If it still runs, its
   * next heartbeat brings them back.
   */
  public static void forgetBlocks(SparkContext context, String executorId) {
    context.env().blockManager().master().removeExecutor(executorId);
  }

  /** A new id under which blocks can be stored and removed together. */
  public static int newRddId(SparkContext context) {
    return context.newRddId();
  }

  /**
   * Makes every executor drop the blocks of {@code rddId}, and notifies listeners of each block: as
   * executors do not, Spark's UI and metrics would count it for ever, and dynamic allocation would
   * keep its executor. Does not wait.
   */
  public static void removeRdd(SparkContext context, int rddId) {
    for (StorageStatus status : context.env().blockManager().master().getStorageStatus()) {
      for (Tuple2<BlockId, BlockStatus> block : Scala.each(status.rddBlocks())) {
        if (block._1() instanceof RDDBlockId id && id.rddId() == rddId) {
          BlockUpdatedInfo dropped =
              new BlockUpdatedInfo(
                  status.blockManagerId(),
                  id,
                  StorageLevel.NONE(),
                  block._2().memSize(),
                  block._2().diskSize());
          SparkListeners.post(context, new SparkListenerBlockUpdated(dropped));
        }
      }
    }
    context.unpersistRDD(rddId, /* blocking= */ false);
  }

  /** Whether an RDD of that id is persisted now. */
  public static boolean isPersisted(SparkContext context, int rddId) {
    return context.persistentRdds().contains(rddId);
  }

  /**
   * Makes every holder drop the blocks of {@code rddId} from number {@code from} on; does not wait.
   */
  public static void removeBlocks(SparkContext context, int rddId, int from) {
    for (StorageStatus status : context.env().blockManager().master().getStorageStatus()) {
      for (BlockId block : Scala.each(status.rddBlocks().keys())) {
        if (block instanceof RDDBlockId id && id.rddId() == rddId && id.splitIndex() >= from) {
          removeBlock(context, id);
        }
      }
    }
  }

  /** Makes every holder drop a block; does not wait. */
  public static void removeBlock(SparkContext context, RDDBlockId id) {
    context.env().blockManager().master().removeBlock(id);
  }

  /**
   * The same, and the master forgets that {@code holder} has the block: where Spark removes an RDD
   * while a block is stored, its executor drops the block without a word.
   */
  public static void removeBlock(SparkContext context, RDDBlockId id, BlockManagerId holder) {
    removeBlock(context, id);
    context
        .env()
        .blockManager()
        .master()
        .updateBlockInfo(holder, id, StorageLevel.NONE(), /* memSize= */ 0, /* diskSize= */ 0);
  }
}
