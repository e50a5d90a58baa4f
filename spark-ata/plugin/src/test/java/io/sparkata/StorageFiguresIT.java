package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.Scala;
import io.sparkata.spark.SparkBlocks;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import java.time.Duration;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Spark's executor page, REST and metrics show the storage memory that executors use. */
@Tag("spark")
@Tag("nightly")
class StorageFiguresIT {
  private static final int TRAININGS = 3;

  private static final int ROWS = 10_000;
  private static final int FEATURES = 100;

  /** Of one training. */
  private static final long PACKED_BYTES = (long) ROWS * FEATURES * Double.BYTES;

  @Test
  void trainings_ended_countForNothing() {
    JavaSparkContext spark = TestCluster.shared().context();
    for (int i = 0; i < TRAININGS; i++) {
      Mllib.logistic(spark, ROWS, FEATURES, /* partitions= */ 5, /* iterations= */ 5)
          .trainBySparkAta(null);
    }

    // Spark counts destroyed broadcasts for ever; the packed rows of all are 24.6 MB
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> assertThat(shown(spark.sc()) - used(spark.sc())).isLessThan(PACKED_BYTES));
  }

  private static long shown(SparkContext context) {
    SparkListeners.awaitListeners(context, 10_000);
    long shown = 0;
    for (ExecutorSummary executor :
        Scala.each(context.statusStore().executorList(/* activeOnly= */ true))) {
      shown += executor.memoryUsed();
    }
    return shown;
  }

  private static long used(SparkContext context) {
    return SparkBlocks.liveBlockManagers(context).stream()
        .mapToLong(manager -> manager.maxBytes() - manager.freeBytes())
        .sum();
  }
}
