package io.sparkata.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.AtaRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageStatus;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * After each test class: no thread of Spark ATA without a SparkContext; with one, which classes may
 * share, no packed block, no open training, no crew, no running job and no property of ours on this
 * thread.
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
              if (SparkContext$.MODULE$.getActive().isEmpty()) {
                assertThat(threads()).as("threads of ours without a SparkContext").isEmpty();
              } else {
                assertNothingOf(SparkContext$.MODULE$.getActive().get());
              }
            });
  }

  private static void assertNothingOf(SparkContext spark) {
    List<String> packed = packed(spark);
    if (!packed.isEmpty()) {
      System.gc(); // sums of a fit that was never unpersisted end with its RDD
    }
    assertThat(packed).as("blocks of RDDs that are not persisted").isEmpty();
    assertThat(AtaRuntime.of(spark).map(AtaRuntime::openCalls).orElse(0))
        .as("open trainings")
        .isZero();
    assertThat(threads()).as("threads").noneMatch(name -> name.startsWith("spark-ata-crew"));
    assertThat(spark.statusTracker().getActiveJobIds()).as("active jobs").isEmpty();
    assertThat(spark.getLocalProperty("spark.job.tags")).as("job tags").isNull();
    assertThat(String.valueOf(spark.getLocalProperty("spark.job.description")))
        .as("job description")
        .doesNotContain("Spark ATA");
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
