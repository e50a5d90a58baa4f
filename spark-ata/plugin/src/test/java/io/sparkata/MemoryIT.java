package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.SteppingUpdater;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.LBFGS;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
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

  private static final String LEFT = "Spark ATA left training";
  private static final String AGAIN = "storage memory has room again";

  private final TestCluster cluster =
      TestCluster.start(
          Map.of(
              "spark.memory.fraction", "0.05",
              "spark.ata.blockSize", "1m",
              "spark.ata.report", "log",
              "spark.ata.route", "lbfgs",
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

  /** Another thread fills storage memory again and again, and stops. */
  @Test
  void train_othersEvictTheBlocks_isMllibsUntilTheyStop() {
    Mllib training =
        new Mllib(
            TestData.generated(cluster.context(), 9_000, FEATURES, 12),
            new LogisticGradient(),
            0.3,
            200,
            FEATURES);
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        Pressure pressure = new Pressure(cluster.context())) {
      Tuple2<Vector, double[]> ours =
          training.trainBySparkAta(
              null,
              new SteppingUpdater(
                  iteration -> {
                    if (iteration == 3) {
                      pressure.begin();
                    } else if (iteration > 3 && !isSaid(log, AGAIN)) {
                      SteppingUpdater.waitShortlyFor(() -> isSaid(log, LEFT));
                      if (isSaid(log, LEFT)) {
                        pressure.end();
                      }
                    }
                  }));

      assertThat(isSaid(log, LEFT)).as("left to MLlib").isTrue();
      assertThat(isSaid(log, AGAIN)).as("came back").isTrue();
      assertThat(log.messages(Level.WARN)).isEmpty();
      Mllib.assertSame(ours, training.trainByMllib());
    }
  }

  @Test
  void lbfgs_othersEvictTheBlocks_isSparksUntilTheyStop() {
    RDD<Tuple2<Object, Vector>> data =
        TestData.generated(cluster.context(), 9_000, FEATURES, 12)
            .persist(StorageLevel.MEMORY_AND_DISK());
    Vector expected = null;
    long routed = 0;
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        Pressure pressure = new Pressure(cluster.context())) {
      for (int fit = 0; fit < 100 && !(isSaid(log, LEFT) && routed > 20); fit++) {
        long before = cluster.evaluations().rounds.get();
        Vector weights =
            LBFGS
                .runLBFGS(
                    data,
                    new LogisticGradient(),
                    new SquaredL2Updater(),
                    10,
                    0,
                    10,
                    0.01,
                    Vectors.zeros(FEATURES))
                ._1();
        expected = expected == null ? weights : expected;
        assertThat(Vectors.sqdist(weights, expected)).isLessThan(1e-16);
        if (!isSaid(log, LEFT)) {
          pressure.begin();
        } else {
          pressure.end();
          routed += cluster.evaluations().rounds.get() - before;
        }
      }

      assertThat(isSaid(log, LEFT)).as("left to Spark").isTrue();
      assertThat(routed).as("rounds once the pressure has ended").isGreaterThan(20);
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
    data.unpersist(/* blocking= */ true);
  }

  private static boolean isSaid(CapturedLog log, String text) {
    return log.messages(Level.INFO).stream().anyMatch(line -> line.contains(text));
  }

  /** Jobs that cache more than there is room for, and drop it. */
  private static final class Pressure implements AutoCloseable {
    private static final int BLOCKS = 3 * TestCluster.EXECUTORS * (int) STORAGE_MIB / 2;

    private final JavaSparkContext spark;
    private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);
    private boolean isBegun;
    private volatile boolean isOver;

    Pressure(JavaSparkContext spark) {
      this.spark = spark;
    }

    void begin() {
      if (!isBegun) {
        isBegun = true;
        running = CompletableFuture.runAsync(this::run);
      }
    }

    private void run() {
      while (!isOver) {
        JavaRDD<byte[]> filling =
            spark
                .parallelize(IntStream.range(0, BLOCKS).boxed().toList(), BLOCKS / 3)
                .map(number -> new byte[1 << 20])
                .cache();
        filling.count();
        filling.unpersist(/* blocking= */ true);
      }
    }

    void end() {
      isOver = true;
      running.join();
    }

    @Override
    public void close() {
      end();
    }
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
