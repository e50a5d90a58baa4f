package io.sparkata.objective;

import io.sparkata.blocks.RoomWait;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.config.AtaConf;
import io.sparkata.rounds.RoundLog;
import io.sparkata.routing.Departures;
import io.sparkata.routing.EligibilityRules;
import io.sparkata.spark.BreezeLoading;
import io.sparkata.spark.JobDescriptions;
import io.sparkata.spark.SparkListeners;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerUnpersistRDD;
import org.apache.spark.storage.StorageLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where calls of {@code RDD.treeAggregate} arrive. Sums of an optimizer over a persisted RDD go to
 * its {@link PersistedSums}; all others stay Spark's. During the first sum of spark.ml's summarizer
 * the classes of Breeze are loaded. Thread-safe.
 */
public final class SumRoute extends SparkListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SumRoute.class);

  private static final Map<SparkContext, SumRoute> RUNNING = new ConcurrentHashMap<>();

  /** Whether this thread runs Spark's own sum. */
  private static final ThreadLocal<Boolean> IS_SPARKS_TURN = ThreadLocal.withInitial(() -> false);

  private static final int MOST_UNPERSISTED = 1000;

  private final SparkContext context;
  private final AtaRuntime runtime;
  private final AtaConf conf;
  private final Map<Integer, PersistedSums> byRdd = new ConcurrentHashMap<>();

  /** Ids of the last RDDs that are not persisted as we need it. */
  private final Map<Integer, Boolean> unpersisted =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
          return size() > MOST_UNPERSISTED;
        }
      };

  private SumRoute(SparkContext context, AtaRuntime runtime) {
    this.context = context;
    this.runtime = runtime;
    this.conf = AtaConf.ofSums(context.getConf());
    SparkListeners.addListener(context, this, "ata-sums");
  }

  /** Answers the sums of a context, and listens for RDDs that are unpersisted, until closed. */
  public static SumRoute start(SparkContext context, AtaRuntime runtime) {
    RUNNING.keySet().removeIf(SparkContext::isStopped); // its start failed after ours
    SumRoute route = new SumRoute(context, runtime);
    RUNNING.put(context, route);
    return route;
  }

  /**
   * A call of the woven method.
   *
   * @param rdd whose method is called
   * @param arguments its six
   * @return the sum, or null if Spark's own body has to run
   */
  @SuppressWarnings("unchecked") // elements of any class
  public static Object runRouted(Object rdd, Object[] arguments) {
    boolean isOurs = Owners.of(arguments[1]);
    boolean isBefore = !isOurs && BreezeLoading.isDue() && Owners.isSummarizer(arguments[1]);
    if (!(isOurs || isBefore) || IS_SPARKS_TURN.get()) {
      return null;
    }
    RDD<Object> data = (RDD<Object>) rdd;
    SumRoute route;
    try {
      route = RUNNING.get(data.context());
    } catch (Exception noContext) {
      return null; // an RDD from another application: Spark's own exception is the right one
    }
    if (route == null || route.runtime.isOffHere()) {
      return null;
    }
    SumCall call = SumCall.of(arguments);
    return isOurs
        ? route.evaluate(data, call)
        : BreezeLoading.during(() -> route.bySpark(data, call));
  }

  private Object evaluate(RDD<Object> data, SumCall call) {
    StorageLevel level = data.getStorageLevel();
    if (!level.useMemory() || !level.deserialized() || level.useOffHeap()) {
      reportUnpersisted(data);
      return null;
    }
    sweep();
    runtime.evaluations().routed.incrementAndGet();
    PersistedSums sums =
        byRdd.compute(data.id(), (id, known) -> known == null ? open(data) : known.current(data));
    try {
      return sums.evaluate(data, call, () -> bySpark(data, call));
    } catch (Throwable error) { // the optimizer ends; a later one starts anew
      byRdd.remove(data.id(), sums);
      sums.end(/* areBlocksRemoved= */ false);
      throw error;
    }
  }

  private PersistedSums open(RDD<Object> data) {
    runtime.evaluations().calls.incrementAndGet();
    return new PersistedSums(runtime, conf, data, new RoomWait(System::nanoTime));
  }

  /** Once per RDD, whose optimizer calls again and again. */
  private void reportUnpersisted(RDD<Object> data) {
    boolean isNews;
    synchronized (unpersisted) {
      isNews = unpersisted.putIfAbsent(data.id(), true) == null;
    }
    if (isNews) {
      Departures.isLeft(
          new EligibilityRules(conf).ofUnpersisted(data.getStorageLevel()),
          runtime,
          runtime.evaluations(),
          runtime.reporter().begin(runtime.nextTraining(), RoundLog.LBFGS, data));
    }
  }

  private Object bySpark(RDD<Object> data, SumCall call) {
    boolean wasSparksTurn = IS_SPARKS_TURN.get();
    IS_SPARKS_TURN.set(true);
    try {
      return JobDescriptions.asOfTheCaller(context, () -> call.bySpark(data));
    } finally {
      if (!wasSparksTurn) {
        IS_SPARKS_TURN.remove();
      }
    }
  }

  /** Ends the sums of RDDs that are persisted no more, in case an event was lost. */
  private void sweep() {
    if (byRdd.isEmpty()) {
      return;
    }
    Set<Integer> persisted =
        JavaSparkContext.fromSparkContext(context).getPersistentRDDs().keySet();
    for (int id : byRdd.keySet()) {
      if (!persisted.contains(id)) {
        end(id);
      }
    }
  }

  @Override
  public void onUnpersistRDD(SparkListenerUnpersistRDD event) {
    end(event.rddId());
  }

  /** Spark writes events until its bus stops, which on Spark 3.5 is before plugins end. */
  @Override
  public void onApplicationEnd(SparkListenerApplicationEnd event) {
    endAll();
  }

  private void end(int rddId) {
    Optional.ofNullable(byRdd.remove(rddId))
        .ifPresent(sums -> sums.end(/* areBlocksRemoved= */ true));
  }

  /** RDDs whose sums are not ended. */
  public int openSums() {
    return byRdd.size();
  }

  @Override
  public void close() {
    RUNNING.remove(context);
    SparkListeners.removeListener(context, this);
    endAll();
  }

  private void endAll() {
    for (int id : Set.copyOf(byRdd.keySet())) {
      try {
        end(id);
      } catch (Exception stopped) { // of a context that has begun to stop
        LOG.debug("Spark ATA: cannot end the sums of RDD {}", id, stopped);
      }
    }
  }
}
