package io.sparkata.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.AtaRuntime;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageStatus;
import org.apache.spark.util.AccumulatorV2;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * Checks after each test class that nothing of Spark ATA is left. Without a SparkContext it looks
 * for accumulators and threads. With one, which classes may share, it also looks for packed blocks,
 * in Spark's master and in block managers. It looks for broadcasts, open trainings, running jobs,
 * crews and their RPC endpoints. And it looks for local properties of this thread.
 */
public final class NothingLeft implements AfterAllCallback {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Override
  public void afterAll(ExtensionContext context) {
    if (context.getRequiredTestClass().getEnclosingClass() != null) {
      return; // the outer class may go on
    }
    Awaitility.await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(accumulators()).as("accumulators of ours").isEmpty();
              if (SparkContext$.MODULE$.getActive().isEmpty()) {
                assertThat(threads()).as("threads of ours without a SparkContext").isEmpty();
              } else {
                assertNothingOf(SparkContext$.MODULE$.getActive().get());
              }
            });
  }

  private static void assertNothingOf(SparkContext spark) throws ReflectiveOperationException {
    List<String> packed = packed(spark);
    if (!packed.isEmpty()) {
      System.gc(); // sums of a fit that was never unpersisted end with its RDD
    }
    assertThat(packed).as("blocks of RDDs that are not persisted").isEmpty();
    assertNoneHeld(new HeldBlocks(spark));
    assertThat(AtaRuntime.of(spark).map(AtaRuntime::openCalls).orElse(0))
        .as("open trainings")
        .isZero();
    assertThat(threads()).as("threads").noneMatch(name -> name.startsWith("spark-ata-crew"));
    assertThat(spark.statusTracker().getActiveJobIds()).as("active jobs").isEmpty();
    assertThat(endpoints(spark)).as("RPC endpoints of crews").isEmpty();
    assertThat(properties(spark)).as("local properties of ours").isEmpty();
  }

  private static void assertNoneHeld(HeldBlocks held) {
    try {
      assertThat(held.unpersisted()).as("the same, as block managers say").isEmpty();
      assertThat(held.broadcasts()).as("broadcasts").isEmpty();
    } catch (Exception lost) { // an executor that was asked
      throw new AssertionError(lost);
    }
  }

  /** Tags, the descriptions and names of jobs, and properties of ours. */
  private static Map<String, String> properties(SparkContext spark) {
    Map<String, String> found = new TreeMap<>();
    Properties all = spark.getLocalProperties();
    for (String key : all.stringPropertyNames()) {
      String value = all.getProperty(key);
      if (key.equals("spark.job.tags")
          || key.startsWith("callSite.")
          || key.startsWith("spark.ata.")
          || value.contains("Spark ATA")
          || value.contains("spark-ata-")) {
        found.put(key, value);
      }
    }
    return found;
  }

  /** Until they are closed, or their training has become garbage. */
  private static List<String> accumulators() throws ReflectiveOperationException {
    Class<?> type = Class.forName("org.apache.spark.util.AccumulatorContext$");
    Map<?, ?> all = (Map<?, ?>) valueOf(type.getField("MODULE$").get(null), "originals");
    return all.values().stream()
        .map(original -> (AccumulatorV2<?, ?>) ((WeakReference<?>) original).get())
        .filter(one -> one != null && one.name().isDefined())
        .map(one -> one.name().get() + " " + one.id())
        .filter(name -> name.startsWith("Spark ATA"))
        .toList();
  }

  private static List<String> endpoints(SparkContext spark) throws ReflectiveOperationException {
    Object dispatcher = valueOf(spark.env().rpcEnv(), "dispatcher");
    return ((Map<?, ?>) valueOf(dispatcher, "endpoints"))
        .keySet().stream()
            .map(String::valueOf)
            .filter(name -> name.startsWith("spark-ata-crew"))
            .toList();
  }

  private static Object valueOf(Object owner, String field) throws ReflectiveOperationException {
    Field found = owner.getClass().getDeclaredField(field);
    found.setAccessible(true);
    return found.get(owner);
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("spark-ata"))
        .toList();
  }

  private static List<String> packed(SparkContext spark) {
    Set<Integer> persisted = JavaSparkContext.fromSparkContext(spark).getPersistentRDDs().keySet();
    List<String> packed = new ArrayList<>();
    for (StorageStatus status : spark.env().blockManager().master().getStorageStatus()) {
      Iterator<Tuple2<BlockId, BlockStatus>> blocks = status.blocks().iterator();
      while (blocks.hasNext()) {
        BlockId block = blocks.next()._1();
        if (block instanceof RDDBlockId id && !persisted.contains(id.rddId())) {
          packed.add(status.blockManagerId().executorId() + ": " + block.name());
        }
      }
    }
    return packed;
  }
}
