package io.sparkata.spark;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.spark.Dependency;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.ExecutorAllocationManager;
import org.apache.spark.NarrowDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.rdd.DeterministicLevel;
import org.apache.spark.rdd.RDD;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.scheduler.LiveListenerBus;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerInterface;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.apache.spark.scheduler.TaskSetManager;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageStatus;
import org.apache.spark.util.AccumulatorContext;
import scala.Option;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.collection.immutable.Map$;

/** Spark's internals on the driver. */
public final class SparkInternals {
  /**
   * Spark 3.5 shows a cancellation by the message only; 4.x puts an error class before the same
   * words.
   */
  private static final Pattern CANCELLED = Pattern.compile("Job \\d+ cancelled");

  private SparkInternals() {}

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
    Iterator<Tuple2<BlockManagerId, Tuple2<Object, Object>>> status =
        context.env().blockManager().master().getMemoryStatus().iterator();
    while (status.hasNext()) {
      Tuple2<BlockManagerId, Tuple2<Object, Object>> entry = status.next();
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
    Iterator<? extends scala.collection.Seq<BlockManagerId>> located =
        context
            .env()
            .blockManager()
            .master()
            .getLocations(blocks.toArray(new BlockId[0]))
            .iterator();
    while (located.hasNext()) {
      List<String> executors = new ArrayList<>(2);
      Iterator<BlockManagerId> managers = located.next().iterator();
      while (managers.hasNext()) {
        executors.add(managers.next().executorId());
      }
      holders.add(executors);
    }
    return holders;
  }

  /** Whether the executor gets tasks: Spark is neither removing nor decommissioning it. */
  public static boolean isActive(SparkContext context, String executorId) {
    return !(context.schedulerBackend() instanceof ExecutorAllocationClient client)
        || client.isExecutorActive(executorId);
  }

  /** How many tasks each executor runs, by its id, as counted by Spark's scheduler. */
  public static Map<String, Integer> runningTasks(SparkContext context) {
    if (!(context.taskScheduler() instanceof TaskSchedulerImpl scheduler)) {
      return Map.of();
    }
    Map<String, Integer> running = new HashMap<>();
    Iterator<Tuple2<String, Object>> counts = scheduler.runningTasksByExecutors().iterator();
    while (counts.hasNext()) {
      Tuple2<String, Object> count = counts.next();
      running.put(count._1(), (Integer) count._2());
    }
    return running;
  }

  /**
   * The jobs whose tasks wait for slots.
   *
   * @param property of jobs
   * @return its values in these jobs; empty for a job without it
   */
  public static Set<String> waitingJobs(SparkContext context, String property) {
    if (!(context.taskScheduler() instanceof TaskSchedulerImpl scheduler)) {
      return Set.of();
    }
    Set<String> waiting = new HashSet<>();
    Iterator<TaskSetManager> sets = scheduler.rootPool().getSortedTaskSetQueue().iterator();
    while (sets.hasNext()) {
      TaskSetManager set = sets.next();
      if (!set.isZombie() && set.tasksSuccessful() + set.runningTasks() < set.numTasks()) {
        Properties properties = set.taskSet().properties(); // null once its job has ended
        waiting.add(properties == null ? "" : properties.getProperty(property, ""));
      }
    }
    return waiting;
  }

  /**
   * Makes Spark's master forget an executor's blocks, as if it were lost. If it still runs, its
   * next heartbeat brings them back.
   */
  public static void forgetBlocks(SparkContext context, String executorId) {
    context.env().blockManager().master().removeExecutor(executorId);
  }

  /** Spark's dynamic allocation of executors of its default resource profile. */
  public interface DynamicAllocation {
    /** The total number of executors that Spark has requested. */
    int target();

    /**
     * Requests a total number of executors, which holds until Spark requests another; waits for the
     * answer of Spark's scheduler. Does nothing if Spark has requested executors of another
     * resource profile too, because this would cancel that request.
     */
    void request(int total);
  }

  /** Empty without dynamic allocation. */
  public static Optional<DynamicAllocation> dynamicAllocation(SparkContext context) {
    Option<ExecutorAllocationManager> manager = context.executorAllocationManager();
    return manager.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new DynamicAllocation() {
              @Override
              public int target() {
                return targetOf(manager.get());
              }

              @Override
              public void request(int total) {
                if (!hasTargetsOfOthers(manager.get())) {
                  context.requestTotalExecutors(total, 0, Map$.MODULE$.empty());
                }
              }
            });
  }

  private static boolean hasTargetsOfOthers(ExecutorAllocationManager manager) {
    synchronized (manager) {
      return manager.numExecutorsTargetPerResourceProfileId().size() > 1;
    }
  }

  private static int targetOf(ExecutorAllocationManager manager) {
    synchronized (manager) { // as it does itself
      int profile = ResourceProfile.DEFAULT_RESOURCE_PROFILE_ID();
      Option<Object> target = manager.numExecutorsTargetPerResourceProfileId().get(profile);
      return target.isEmpty() ? 0 : (Integer) target.get();
    }
  }

  /** A new id under which blocks can be stored and removed together. */
  public static int newRddId(SparkContext context) {
    return context.newRddId();
  }

  /**
   * Makes every executor drop the blocks of {@code rddId} and notifies listeners, or dynamic
   * allocation would keep the executors that held them. Does not wait.
   */
  public static void removeRdd(SparkContext context, int rddId) {
    context.unpersistRDD(rddId, /* blocking= */ false);
  }

  /** Whether an RDD of that id is persisted now. */
  public static boolean isPersisted(SparkContext context, int rddId) {
    return context.persistentRdds().contains(rddId);
  }

  /** Prepares a closure for executors as Spark does: drops what it captured and does not use. */
  public static <F> F clean(SparkContext context, F closure) {
    return context.clean(closure, /* checkSerializable= */ true);
  }

  /**
   * Makes every holder drop the blocks of {@code rddId} from number {@code from} on; does not wait.
   */
  public static void removeBlocks(SparkContext context, int rddId, int from) {
    for (StorageStatus status : context.env().blockManager().master().getStorageStatus()) {
      Iterator<BlockId> blocks = status.rddBlocks().keysIterator();
      while (blocks.hasNext()) {
        if (blocks.next() instanceof RDDBlockId id
            && id.rddId() == rddId
            && id.splitIndex() >= from) {
          removeBlock(context, id);
        }
      }
    }
  }

  /** Makes every holder drop a block; does not wait. */
  public static void removeBlock(SparkContext context, RDDBlockId id) {
    context.env().blockManager().master().removeBlock(id);
  }

  /** Adds a listener to the named queue, which has a thread of its own and is created if needed. */
  public static void addListener(
      SparkContext context, SparkListenerInterface listener, String queue) {
    context.listenerBus().addToQueue(listener, queue);
  }

  /** Posts an event of our own to all listeners; does not wait. */
  public static void post(SparkContext context, SparkListenerEvent event) {
    context.listenerBus().post(event);
  }

  /** Removes a listener. */
  public static void removeListener(SparkContext context, SparkListenerInterface listener) {
    context.listenerBus().removeListener(listener);
  }

  /** Whether Spark calls its listeners on this thread. */
  public static boolean isListenersThread() {
    return (Boolean) LiveListenerBus.withinListenerThread().value();
  }

  /**
   * Waits until listeners have received all events so far, at most {@code millis}. Returns at once
   * on a listeners' thread, which would wait for itself.
   */
  public static void awaitListeners(SparkContext context, long millis) {
    if (isListenersThread()) {
      return;
    }
    try {
      context.listenerBus().waitUntilEmpty(millis);
    } catch (TimeoutException busy) {
      return; // use what they have received by now
    } catch (Exception error) {
      if (!(error instanceof InterruptedException)) { // Scala does not declare it
        throw error;
      }
      Thread.currentThread().interrupt();
    }
  }

  /** Unregisters an accumulator now instead of at a garbage collection. */
  public static void forgetAccumulator(long id) {
    AccumulatorContext.remove(id);
  }

  /** Whether a job failed because it was cancelled; such a job must not run again. */
  public static boolean isCancellation(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (cause instanceof InterruptedException
          || (cause instanceof SparkException
              && message != null
              && CANCELLED.matcher(message).find())) {
        return true;
      }
    }
    return false;
  }

  /** Whether a job on {@code rdd} runs under a resource profile that is not Spark's default. */
  public static boolean hasResourceProfile(RDD<?> rdd) {
    Set<RDD<?>> seen = new HashSet<>();
    Deque<RDD<?>> left = new ArrayDeque<>(List.of(rdd));
    while (!left.isEmpty()) {
      RDD<?> next = left.pop();
      if (next.getResourceProfile() != null) {
        return true;
      }
      Iterator<Dependency<?>> dependencies = next.dependencies().iterator();
      while (dependencies.hasNext()) { // behind a shuffle there are other stages
        if (dependencies.next() instanceof NarrowDependency<?> narrow && seen.add(narrow.rdd())) {
          left.push(narrow.rdd());
        }
      }
    }
    return false;
  }

  /** Whether recomputing a lost partition may yield other rows, not only another order. */
  public static boolean isIndeterminate(RDD<?> rdd) {
    return rdd.outputDeterministicLevel().equals(DeterministicLevel.INDETERMINATE());
  }
}
