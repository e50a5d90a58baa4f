package io.sparkata.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.objective.SumRoute;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.StorageStatus;
import org.apache.spark.util.AccumulatorContext;
import org.awaitility.Awaitility;
import scala.Tuple2;
import scala.collection.Iterator;

/** Checks that trainings left no block, broadcast, accumulator, listener or crew behind. */
public final class Leftovers {
  private final SparkContext spark;
  private final List<String> ourListeners;
  private final Set<Long> ourAccumulators = ConcurrentHashMap.newKeySet();

  private Leftovers(SparkContext spark) {
    this.spark = spark;
    this.ourListeners = ourListeners(spark);
  }

  /** Starts to watch; to be called before the trainings. */
  public static Leftovers watch(JavaSparkContext context) {
    Leftovers leftovers = new Leftovers(context.sc());
    context
        .sc()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd event) {
                Iterator<AccumulableInfo> infos = event.taskInfo().accumulables().iterator();
                while (infos.hasNext()) {
                  AccumulableInfo info = infos.next();
                  if (info.name().isDefined() && info.name().get().startsWith("Spark ATA")) {
                    leftovers.ourAccumulators.add(info.id());
                  }
                }
              }
            });
    return leftovers;
  }

  /**
   * Asserts that nothing is left.
   *
   * @param modelBytes no block of this size or more may be there: it would be a model's broadcast
   */
  public void assertNone(long modelBytes) {
    // Removal is asynchronous: a training does not wait for executors to confirm it.
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(blocks(modelBytes)).isEmpty());
    assertThat(spark.persistentRdds().size()).isZero();
    assertThat(AtaRuntime.of(spark).orElseThrow().openCalls()).isZero();
    assertThat(ourAccumulators).isNotEmpty();
    assertThat(ourAccumulators).allMatch(id -> AccumulatorContext.get(id).isEmpty());
    Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(this::assertNoCrew);
  }

  private void assertNoCrew() {
    assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
        .as("threads of crews")
        .noneMatch(name -> name.startsWith("spark-ata-crew"));
    assertThat(spark.statusTracker().getActiveJobIds()).as("active jobs").isEmpty();
  }

  /** Waits until no RDD is persisted and no call is open; without the garbage collector's help. */
  public void awaitNothingPersisted() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              assertThat(blocks(Long.MAX_VALUE)).isEmpty();
              assertThat(persisted()).as("persisted RDDs").isEmpty();
              assertThat(AtaRuntime.of(spark).orElseThrow().openCalls()).as("open calls").isZero();
              assertThat(openSums()).as("RDDs whose sums are not ended").isZero();
            });
  }

  /**
   * Waits until nothing is left once the garbage collector has found what Spark and the caller left
   * to it. Of Spark's: no block, no broadcast, no persisted RDD and no active job. Of ours: no open
   * call or sum, no crew and no accumulator, and the listeners of the start of the watch.
   */
  public void awaitNone() {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(blocks(0)).isEmpty();
              assertThat(persisted()).as("persisted RDDs").isEmpty();
              assertThat(AtaRuntime.of(spark).orElseThrow().openCalls()).as("open calls").isZero();
              assertThat(openSums()).as("RDDs whose sums are not ended").isZero();
              assertThat(ourAccumulators)
                  .isNotEmpty()
                  .allMatch(id -> AccumulatorContext.get(id).isEmpty());
              assertThat(ourListeners(spark)).isEqualTo(ourListeners);
              assertNoCrew();
            });
  }

  /** Without those that the garbage collector has found. */
  private Map<Integer, JavaRDD<?>> persisted() {
    return JavaSparkContext.fromSparkContext(spark).getPersistentRDDs();
  }

  private int openSums() {
    return spark.listenerBus().listeners().stream()
        .filter(SumRoute.class::isInstance)
        .findFirst()
        .map(route -> ((SumRoute) route).openSums())
        .orElseThrow();
  }

  private static List<String> ourListeners(SparkContext spark) {
    return spark.listenerBus().listeners().stream()
        .map(listener -> listener.getClass().getName())
        .filter(name -> name.startsWith("io.sparkata.") && !name.contains(".testing."))
        .sorted()
        .toList();
  }

  private List<String> blocks(long modelBytes) {
    List<String> found = new ArrayList<>();
    for (StorageStatus status : spark.env().blockManager().master().getStorageStatus()) {
      Iterator<Tuple2<BlockId, BlockStatus>> blocks = status.blocks().iterator();
      while (blocks.hasNext()) {
        Tuple2<BlockId, BlockStatus> block = blocks.next();
        if (block._1().isRDD() || block._2().memSize() >= modelBytes) {
          found.add(status.blockManagerId().executorId() + ": " + block._1().name());
        }
      }
    }
    return found;
  }
}
