package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import scala.Tuple2;

/** Little storage memory: nothing of the caller's is ever evicted for packed data or replicas. */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MemoryIT {
  private static final int FEATURES = 100;
  private static final int PARTITIONS = 60; // many, so that each executor caches about a third
  private static final double STORAGE_MIB = (1024 - 300) * 0.05; // per executor, about 36

  private final TestCluster cluster =
      TestCluster.start(
          Map.of(
              "spark.memory.fraction", "0.05",
              "spark.ata.blockSize", "1m",
              "spark.ata.report", "log",
              "spark.ata.passThrough", "auto"));

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void train_noRoomForAllReplicas_keepsSomeAndEvictsNothing() {
    // Cached, packed, and a replica of all the rest would need 1.12 of an executor's memory.
    Mllib training = cachedRows(0.28 * STORAGE_MIB);
    int cachedBefore = cachedPartitions();
    long passedBefore = cluster.counters().passedThrough.get();
    long keptBefore = cluster.counters().keptReplicas.get();

    Tuple2<Vector, double[]> ours = training.trainBySparkAta(null);

    assertThat(cachedPartitions()).isGreaterThanOrEqualTo(cachedBefore);
    assertThat(cluster.counters().passedThrough).hasValue(passedBefore);
    assertThat(cluster.counters().keptReplicas.get()).isGreaterThan(keptBefore);
    Mllib.assertSame(ours, training.trainByMllib());
    training.data().unpersist(/* blocking= */ true);
  }

  @Test
  void train_noRoomForPackedData_passesThroughWithTheReason() {
    // What could not be cached at first may be later: only a loss would be ours.
    Mllib training = cachedRows(0.6 * STORAGE_MIB);
    int cachedBefore = cachedPartitions();
    long passedBefore = cluster.counters().passedThrough.get();

    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      Tuple2<Vector, double[]> ours = training.trainBySparkAta(null);

      assertThat(cluster.counters().passedThrough.get() - passedBefore).isEqualTo(1);
      assertThat(log.messages(Level.INFO))
          .anyMatch(message -> message.contains("no room in free storage memory"));
      assertThat(cachedPartitions()).isGreaterThanOrEqualTo(cachedBefore);
      Mllib.assertSame(ours, training.trainByMllib());
    }
    training.data().unpersist(/* blocking= */ true);
  }

  /** Rows of so many MiB per executor, cached. */
  private Mllib cachedRows(double mebibytesPerExecutor) {
    int count = (int) (TestCluster.EXECUTORS * mebibytesPerExecutor * (1 << 20) / (8 * FEATURES));
    RDD<Tuple2<Object, Vector>> data =
        TestData.generated(cluster.context(), count, FEATURES, PARTITIONS);
    assertThat(data.count()).isEqualTo(count); // with cold executors one may compute most of it
    data.persist(StorageLevel.MEMORY_ONLY());
    assertThat(data.count()).isEqualTo(count);
    return new Mllib(data, new LogisticGradient(), 0.3, 12, FEATURES);
  }

  private int cachedPartitions() {
    int cached = 0;
    for (RDDInfo info : cluster.context().sc().getRDDStorageInfo()) {
      cached += info.numCachedPartitions();
    }
    return cached;
  }
}
