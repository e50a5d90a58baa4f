package io.sparkata.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.columnar.CachedBatch;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.storage.StorageStatus;
import org.apache.spark.util.io.ChunkedByteBuffer;
import scala.Option;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/** The cached partitions of an application's own RDDs. */
public final class CachedBlocks {
  /** With it, Spark reads a block only once a task that computed it has succeeded. */
  private static final String TRACKING = "spark.rdd.cache.visibilityTracking.enabled";

  /** Elements that are serialized to see what a send takes. */
  private static final int SAMPLED = 2000;

  private static final long SAMPLE_NANOS = 200_000_000;

  private CachedBlocks() {}

  /**
   * A cached partition on one executor.
   *
   * @param bytes in memory, or on disk if it is there
   * @param level of its RDD, as {@link StorageLevel#toInt}
   * @param isMovable whether it is in memory on the heap, in one copy, and every task may read it
   *     at once
   */
  public record Block(
      int rdd, int partition, String executor, long bytes, int level, boolean isMovable) {}

  /**
   * The blocks of these RDDs on executors, as the master knows them. Driver only.
   *
   * @param partitions of each RDD: blocks of L-BFGS have higher numbers
   */
  public static List<Block> of(SparkContext context, List<Integer> rdds, int partitions) {
    List<Block> blocks = new ArrayList<>();
    boolean isVisible = !context.env().conf().getBoolean(TRACKING, /* defaultValue= */ false);
    for (StorageStatus status : context.env().blockManager().master().getStorageStatus()) {
      for (Tuple2<BlockId, BlockStatus> one : Scala.each(status.rddBlocks())) {
        if (one._1() instanceof RDDBlockId id
            && rdds.contains(id.rddId())
            && id.splitIndex() < partitions
            && !status.blockManagerId().isDriver()) {
          StorageLevel level = levelOf(context, id.rddId());
          blocks.add(
              new Block(
                  id.rddId(),
                  id.splitIndex(),
                  status.blockManagerId().executorId(),
                  Math.max(one._2().memSize(), one._2().diskSize()),
                  level.toInt(),
                  isVisible
                      && one._2().storageLevel().useMemory()
                      && !level.useOffHeap()
                      && level.replication() == 1
                      && one._2().diskSize() == 0));
        }
      }
    }
    return blocks;
  }

  private static StorageLevel levelOf(SparkContext context, int rdd) {
    Option<RDD<?>> found = context.persistentRdds().get(rdd);
    return found.isEmpty() ? StorageLevel.NONE() : found.get().getStorageLevel();
  }

  /** Whether an RDD of that id is persisted now. Driver only. */
  public static boolean isPersisted(SparkContext context, int rdd) {
    return SparkBlocks.isPersisted(context, rdd);
  }

  /** Whether an RDD of that id is the cache of a DataFrame. Driver only. */
  public static boolean isOfDataFrame(SparkContext context, int rdd) {
    Option<RDD<?>> found = context.persistentRdds().get(rdd);
    return found.isDefined()
        && CachedBatch.class.equals(found.get().elementClassTag().runtimeClass());
  }

  /** The class tag of an RDD's elements, for {@link #copy}; empty if it is no longer persisted. */
  public static byte[] tagOf(SparkContext context, int rdd) {
    Option<RDD<?>> found = context.persistentRdds().get(rdd);
    return found.isEmpty() ? new byte[0] : Serialized.work(found.get().elementClassTag());
  }

  /**
   * What a send of a partition here would take to serialize its elements, estimated from some of
   * them; 0 if it is serialized already. Outside tasks, on executors.
   *
   * @param tag of {@link #tagOf}
   * @return nanoseconds; negative if the partition is not here, or its RDD no longer persisted
   * @throws RuntimeException or an exception of the serializer's, if an element cannot be
   *     serialized. A send that fails would keep Spark's read lock, and a blocking unpersist would
   *     wait for it.
   */
  public static long sendNanos(int rdd, int partition, byte[] tag) {
    RDDBlockId id = new RDDBlockId(rdd, partition);
    BlockManager manager = SparkEnv.get().blockManager();
    Option<BlockStatus> status = manager.getStatus(id);
    if (status.isDefined() && !status.get().storageLevel().deserialized()) {
      return 0;
    }
    if (tag.length == 0) {
      return -1;
    }
    ClassTag<?> elements = (ClassTag<?>) Serialized.work(tag); // before the read lock: it may throw
    Option<BlockResult> found = manager.getLocalValues(id);
    if (found.isEmpty()) {
      return -1;
    }
    Iterator<Object> values = found.get().data();
    try {
      long first = new Sample(values, 1).nanos(id, elements); // loads classes, too
      Sample some = new Sample(values, SAMPLED);
      long nanos = some.nanos(id, elements);
      return some.taken == 0 ? first : nanos / some.taken * (1 + some.taken + rest(values));
    } finally {
      rest(values);
    }
  }

  /** The elements that are left. After the last one Spark releases its read lock. */
  private static long rest(Iterator<?> values) {
    long elements = 0;
    while (values.hasNext()) {
      values.next();
      elements++;
    }
    return elements;
  }

  /** The next element of a partition, and some more while there is time. */
  private static final class Sample extends AbstractIterator<Object> {
    private final Iterator<Object> values;
    private final int most;
    private final long start = System.nanoTime();
    private int taken;

    Sample(Iterator<Object> values, int most) {
      this.values = values;
      this.most = most;
    }

    @Override
    public boolean hasNext() {
      boolean isInTime = taken < most && System.nanoTime() - start < SAMPLE_NANOS;
      return (taken == 0 || isInTime) && values.hasNext();
    }

    @Override
    public Object next() {
      taken++;
      return values.next();
    }

    /** Of their serialization. */
    long nanos(RDDBlockId id, ClassTag<?> elements) {
      SparkEnv.get()
          .serializerManager()
          .dataSerializeWithExplicitClassTag(id, this, elements)
          .dispose();
      return System.nanoTime() - start;
    }
  }

  /**
   * Copies a partition from the executor that has it, if it fits into free storage memory. Outside
   * tasks, on executors.
   *
   * @param flags of the RDD's storage level
   * @param tag of {@link #tagOf}; the serializer depends on it
   * @return whether this executor has it now
   */
  public static boolean copy(int rdd, int partition, long bytes, int flags, byte[] tag) {
    StorageLevel level = StorageLevel.apply(flags, /* replication= */ 1);
    double needed = level.deserialized() ? bytes * ExecutorInternals.unrollGrowth() : bytes;
    if (tag.length == 0 || needed > ExecutorInternals.freeStorageBytes()) {
      return false;
    }
    BlockManager manager = SparkEnv.get().blockManager();
    RDDBlockId id = new RDDBlockId(rdd, partition);
    @SuppressWarnings("unchecked") // of the RDD's elements
    ClassTag<Object> elements = (ClassTag<Object>) Serialized.work(tag);
    if (!level.deserialized()) {
      Option<ChunkedByteBuffer> found = manager.getRemoteBytes(id);
      return found.isDefined()
          && manager.putBytes(id, found.get(), level, /* tellMaster= */ true, elements);
    }
    Option<BlockResult> found = manager.getRemoteValues(id, elements);
    return found.isDefined()
        && manager.putIterator(id, found.get().data(), level, /* tellMaster= */ true, elements);
  }

  /** Drops this executor's copy if another executor has one. */
  public static boolean dropSpare(int rdd, int partition) {
    RDDBlockId id = new RDDBlockId(rdd, partition);
    boolean isSpare = ExecutorInternals.isHeldByOthers(id);
    if (isSpare) {
      ExecutorInternals.drop(id);
    }
    return isSpare;
  }

  /** Drops this executor's copy of an RDD that is no longer persisted. */
  public static boolean remove(int rdd, int partition) {
    ExecutorInternals.dropForGood(new RDDBlockId(rdd, partition));
    return true;
  }
}
