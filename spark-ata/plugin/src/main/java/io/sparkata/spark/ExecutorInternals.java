package io.sparkata.spark;

import org.apache.spark.Partition;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import scala.Option;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Spark's internals on an executor: its block manager, its storage memory, its name. */
public final class ExecutorInternals {
  /** Of threads that run {@link #withoutTask}. */
  private static final ThreadLocal<TaskContext> HIDDEN = new ThreadLocal<>();

  private ExecutorInternals() {}

  /**
   * This executor's copy of a block whose value is one object, or null. Task thread only: the read
   * lock belongs to the task until {@link Held#release}.
   */
  public static Held readLocal(RDDBlockId id) {
    BlockManager manager = SparkEnv.get().blockManager();
    try {
      return held(manager.getLocalValues(id));
    } catch (Exception error) { // javac does not know that Spark throws a SparkException
      if (!isOfRemoval(error, id)) {
        throw error;
      }
      return null;
    }
  }

  /** Spark throws if another thread removes a block just before this one gets its lock. */
  private static boolean isOfRemoval(Exception error, RDDBlockId id) {
    return error instanceof SparkException && SparkEnv.get().blockManager().getStatus(id).isEmpty();
  }

  /**
   * A copy fetched from one of the peers that hold the block, as by {@link #readLocal}; null if
   * none does.
   */
  public static Held readRemote(RDDBlockId id) {
    return held(SparkEnv.get().blockManager().getRemoteValues(id, anyTag()));
  }

  private static Held held(Option<BlockResult> found) {
    return found.isEmpty() ? null : new Held(found.get());
  }

  /** A block in use by a task. */
  public static final class Held {
    private final Iterator<Object> values;
    private final Object value;
    private final long bytes;

    private Held(BlockResult result) {
      this.values = result.data();
      this.value = values.next();
      this.bytes = result.bytes();
    }

    /** The one object of the block. */
    public Object value() {
      return value;
    }

    /** Size of the block in bytes, as stored or as sent. */
    public long bytes() {
      return bytes;
    }

    /** Releases the read lock, which Spark does when its iterator is exhausted. */
    public void release() {
      if (values.hasNext()) {
        throw new IllegalStateException("Invalid block: more than one value (one is stored)");
      }
    }
  }

  /** Bytes of on-heap storage memory that are free without evicting a block. */
  public static long freeStorageBytes() {
    MemoryManager memory = SparkEnv.get().memoryManager();
    return memory.maxOnHeapStorageMemory() - memory.onHeapStorageMemoryUsed();
  }

  /** While it stores a value, Spark reserves this many times the value's size. */
  public static double unrollGrowth() {
    return SparkEnv.get().conf().getDouble("spark.storage.unrollMemoryGrowthFactor", 1.5);
  }

  /** Stores one object in memory, known to the master; false if it was refused. */
  public static boolean put(RDDBlockId id, Object value) {
    return SparkEnv.get()
        .blockManager()
        .putSingle(id, value, StorageLevel.MEMORY_ONLY(), /* tellMaster= */ true, anyTag());
  }

  /** Drops this executor's copy, if it has one, and notifies the master. */
  public static void drop(RDDBlockId id) {
    BlockManager manager = SparkEnv.get().blockManager();
    if (manager.getStatus(id).isDefined()) {
      try {
        manager.removeBlock(id, /* tellMaster= */ true);
      } catch (Exception error) {
        if (!isOfRemoval(error, id)) {
          throw error;
        }
      }
    }
  }

  /**
   * Drops this executor's copy if it has one. Notifies the master in any case: where Spark removes
   * an RDD at the same time, the executor drops the copy without a word.
   */
  public static void dropForGood(RDDBlockId id) {
    drop(id);
    BlockManager manager = SparkEnv.get().blockManager();
    manager
        .master()
        .updateBlockInfo(
            manager.blockManagerId(), id, StorageLevel.NONE(), /* memSize= */ 0, /* diskSize= */ 0);
  }

  /** Whether Spark's master knows a copy of a block on another executor. */
  public static boolean isHeldByOthers(RDDBlockId id) {
    BlockManager manager = SparkEnv.get().blockManager();
    for (BlockManagerId holder : Scala.each(manager.master().getLocations(id))) {
      if (!holder.equals(manager.blockManagerId())) {
        return true;
      }
    }
    return false;
  }

  /** Whether this executor's copy of a block consists of objects in memory. */
  public static boolean holdsObjects(RDDBlockId id) {
    Option<BlockStatus> status = SparkEnv.get().blockManager().getStatus(id);
    return status.isDefined()
        && status.get().memSize() > 0
        && status.get().storageLevel().deserialized();
  }

  /**
   * The elements of a partition: from Spark's cache if any executor has it there, else computed,
   * and then not cached.
   */
  public static <T> java.util.Iterator<T> elements(
      RDD<T> rdd, Partition partition, TaskContext task) {
    Option<BlockResult> cached =
        SparkEnv.get()
            .blockManager()
            .get(new RDDBlockId(rdd.id(), partition.index()), rdd.elementClassTag());
    if (cached.isEmpty()) {
      return Scala.iterator(rdd.computeOrReadCheckpoint(partition, task));
    }
    @SuppressWarnings("unchecked") // Spark stored them from this RDD
    Iterator<T> elements = (Iterator<T>) (Iterator<?>) cached.get().data();
    return Scala.iterator(elements);
  }

  /** Whether the element is dense or sparse, and how it is stored, for the memory of speeds. */
  public static String layoutOf(Object element) {
    if (element instanceof InstanceBlock block) {
      return block.matrix() instanceof DenseMatrix ? "dense blocks" : "sparse blocks";
    }
    if (element instanceof Tuple2<?, ?> row && row._2() instanceof Vector features) {
      return features instanceof DenseVector ? "dense" : "sparse";
    }
    return element.getClass().getSimpleName();
  }

  /**
   * Runs code of a task as if outside it: Spark then keeps no lock on a block or broadcast until
   * the task ends.
   */
  public static void withoutTask(Runnable code) {
    TaskContext task = TaskContext.get();
    TaskContext$.MODULE$.unset();
    HIDDEN.set(task);
    try {
      code.run();
    } finally {
      HIDDEN.remove();
      TaskContext$.MODULE$.setTaskContext(task);
    }
  }

  /** The task of this thread, {@link #withoutTask} or not; null outside tasks. */
  public static TaskContext task() {
    TaskContext task = TaskContext.get();
    return task == null ? HIDDEN.get() : task;
  }

  /** The id of the executor that this code runs in; works on the driver too. */
  public static String executorId() {
    return SparkEnv.get().executorId();
  }

  /** This executor's host, as the driver names it; in local mode the driver's. */
  public static String executorHost() {
    BlockManagerId id = SparkEnv.get().blockManager().blockManagerId();
    return id == null ? SparkEnv.get().rpcEnv().address().host() : id.host(); // null in local mode
  }

  /** The class tag of a value whose class Spark need not know. */
  public static ClassTag<Object> anyTag() {
    return ClassTag$.MODULE$.Object();
  }
}
