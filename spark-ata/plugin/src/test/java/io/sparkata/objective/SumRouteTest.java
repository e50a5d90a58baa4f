package io.sparkata.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.LocalSpark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LBFGS;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.storage.StorageStatus;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.collection.Iterator;

/** The life of the sums over one RDD, in local mode. */
class SumRouteTest {
  private static final int ITERATIONS = 4;
  private static final int FEATURES = 5;
  private static final int PARTITIONS = 3;

  @Test
  void evaluations_persistedData_areRoundsWithStocksWeights() {
    Vector stock = withSpark(Map.of("spark.ata.route", "none"), spark -> train(persisted(spark)));
    withSpark(
        Map.of(),
        spark -> {
          RDD<Tuple2<Object, Vector>> data = persisted(spark);

          Vector ours = train(data);

          AtaRuntime runtime = runtimeOf(spark);
          assertThat(runtime.evaluations().calls).hasValue(1);
          assertThat(runtime.evaluations().rounds.get())
              .isGreaterThan(ITERATIONS)
              .isEqualTo(runtime.evaluations().routed.get());
          assertThat(runtime.evaluations().fallbacks).hasValue(0);
          assertThat(runtime.openCalls()).isEqualTo(1);
          assertSame(ours, stock);
          return ours;
        });
  }

  @Test
  void unpersist_afterEvaluations_endsThemAndRemovesTheBlocks() {
    withSpark(
        Map.of(),
        spark -> {
          RDD<Tuple2<Object, Vector>> data = persisted(spark);
          Vector weights = train(data);
          assertThat(storedBytes(spark)).isPositive();

          data.unpersist(/* blocking= */ true);

          Awaitility.await()
              .atMost(Duration.ofSeconds(30))
              .until(() -> runtimeOf(spark).openCalls() == 0 && storedBytes(spark) == 0);
          return weights;
        });
  }

  /** Spark has the objects, so that the blocks add only references. */
  @Test
  void evaluations_dataCachedBefore_addLittleStorage() {
    withSpark(
        Map.of(),
        spark -> {
          RDD<Tuple2<Object, Vector>> data = persisted(spark);
          long before = cachedBytes(spark, data);

          Vector weights = train(data);

          assertThat(before).isPositive();
          assertThat(storedBytes(spark)).isLessThan(before + before / 5);
          return weights;
        });
  }

  /** Stock caches the rows in its first evaluation; ours are the only copy. */
  @Test
  void evaluations_dataNotComputedBefore_storeThemOnce() {
    long[] stored = new long[2];
    withSpark(
        Map.of("spark.ata.route", "none"),
        spark -> {
          Vector weights = train(persisted(spark));
          stored[0] = storedBytes(spark);
          return weights;
        });
    withSpark(
        Map.of(),
        spark -> {
          Vector weights = train(persisted(spark));
          stored[1] = storedBytes(spark);
          return weights;
        });

    assertThat((double) stored[1] / stored[0]).isBetween(0.8, 1.15);
  }

  @Test
  void evaluations_unpersistedData_areSparksWithTheReason() {
    assertReported(
        "not persisted as objects in memory",
        Map.of("spark.ata.report", "warn"),
        spark -> {
          Vector weights = train(rows(spark));
          assertThat(runtimeOf(spark).evaluations().rounds).hasValue(0);
          return weights;
        });
  }

  /** A user may try one storage level after the other. */
  @Test
  void evaluations_otherStorageLevels_areSaidEach() {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      withSpark(
          Map.of("spark.ata.report", "warn"),
          spark -> {
            Vector weights = null;
            for (StorageLevel level :
                List.of(
                    StorageLevel.DISK_ONLY(),
                    StorageLevel.MEMORY_ONLY_SER(),
                    StorageLevel.DISK_ONLY())) {
              RDD<Tuple2<Object, Vector>> data = rows(spark).persist(level);
              weights = train(data);
              data.unpersist(/* blocking= */ true);
            }
            return weights;
          });
      assertThat(log.messages(Level.WARN))
          .filteredOn(line -> line.contains(", not as objects in memory"))
          .extracting(line -> line.replaceAll(".*because the data are (.*), not.*", "$1"))
          .containsExactly(
              "persisted as Disk Serialized 1x Replicated",
              "persisted as Memory Serialized 1x Replicated");
    }
  }

  @Test
  void evaluations_unpersistedData_areCountedOncePerRdd() {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      withSpark(
          Map.of("spark.ata.report", "warn"),
          spark -> {
            train(rows(spark));
            return train(rows(spark));
          });
      assertThat(log.lines()).anyMatch(line -> line.endsWith("left to Spark: NOT_PERSISTED 2"));
    }
  }

  /** One line says why sums were left to Spark. */
  private static void assertReported(String reason, Map<String, String> settings, Use use) {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      withSpark(settings, use);
      assertThat(log.lines()).filteredOn(line -> line.contains(reason)).hasSize(1);
    }
  }

  /** The gradient is the user's, and so is its failure: Spark's own sum says so. */
  @Test
  void evaluations_gradientThatThrows_throwAsSparkDoes() {
    withSpark(
        Map.of("spark.ata.onError", "fallback"),
        spark -> {
          RDD<Tuple2<Object, Vector>> data = persisted(spark);

          assertThatThrownBy(() -> train(data, new Thrower()))
              .hasStackTraceContaining("a user's own");

          assertThat(runtimeOf(spark).evaluations().fallbacks).hasValue(0);
          assertThat(runtimeOf(spark).openCalls()).isZero();
          Awaitility.await()
              .atMost(Duration.ofSeconds(30))
              .untilAsserted(
                  () -> assertThat(blocks(spark)).allMatch(id -> id.splitIndex() < PARTITIONS));
          return null;
        });
  }

  /** Spark reserves a megabyte before it stores a block: there is less. */
  @Test
  void evaluations_noRoom_areSparksFromTheSecondOn() {
    assertReported(
        "no room in free storage memory",
        Map.of(
            "spark.ata.report", "warn",
            "spark.testing.memory", "1800000",
            "spark.testing.reservedMemory", "1"),
        spark -> {
          Vector weights = train(persisted(spark));
          assertThat(runtimeOf(spark).evaluations().rounds).hasValue(1);
          assertThat(runtimeOf(spark).evaluations().passedThrough).hasValue(1);
          assertThat(runtimeOf(spark).openCalls()).isZero();
          return weights;
        });
  }

  /** A failure of one optimizer does not keep a later one on the same data from rounds. */
  @Test
  void evaluations_afterAFailure_startAnew() {
    withSpark(
        Map.of(),
        spark -> {
          RDD<Tuple2<Object, Vector>> data = persisted(spark);
          assertThatThrownBy(() -> train(data, new Thrower()))
              .hasStackTraceContaining("a user's own");

          Vector weights = train(data);

          assertThat(runtimeOf(spark).evaluations().calls).hasValue(2);
          assertThat(runtimeOf(spark).evaluations().rounds.get()).isGreaterThan(ITERATIONS);
          return weights;
        });
  }

  /** The optimizer ends before its next round, so that no job of ours fails. */
  @Test
  void evaluations_interruptedBetweenTwo_leaveNoBlock() {
    withSpark(
        Map.of(),
        spark -> {
          RDD<Tuple2<Object, Vector>> data = persisted(spark);
          long before = cachedBytes(spark, data);

          assertThatThrownBy(() -> train(data, new LogisticGradient(), new Interrupter()))
              .isInstanceOf(InterruptedException.class);

          assertThat(runtimeOf(spark).evaluations().rounds).hasValue(1);
          boolean askedForASum = runtimeOf(spark).evaluations().routed.get() > 1;
          assertThat(runtimeOf(spark).openCalls()).isEqualTo(askedForASum ? 0 : 1);
          if (askedForASum) { // Spark 4.2 ends earlier, at its broadcast: until unpersist
            Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(storedBytes(spark)).isEqualTo(before));
          }
          return null;
        });
  }

  @Test
  void context_stopped_endsAllSums() {
    AtaRuntime[] runtime = new AtaRuntime[1];
    withSpark(
        Map.of(),
        spark -> {
          runtime[0] = runtimeOf(spark);
          return train(persisted(spark));
        });

    assertThat(runtime[0].openCalls()).isZero();
  }

  /** Up to rounding: sums are added up in the order in which tasks end. */
  private static void assertSame(Vector ours, Vector expected) {
    for (int i = 0; i < FEATURES; i++) {
      assertThat(ours.apply(i)).isCloseTo(expected.apply(i), within(1e-9));
    }
  }

  private interface Use {
    Vector with(JavaSparkContext spark);
  }

  private static Vector withSpark(Map<String, String> settings, Use use) {
    Map<String, String> all = new HashMap<>(settings);
    all.putIfAbsent("spark.ata.route", "lbfgs");
    all.putIfAbsent("spark.ata.blockSize", "8k");
    try (JavaSparkContext spark = LocalSpark.start(all)) {
      return use.with(spark);
    }
  }

  private static AtaRuntime runtimeOf(JavaSparkContext spark) {
    return AtaRuntime.of(spark.sc()).orElseThrow();
  }

  /** Stored bytes after Spark has cached the data. */
  private static long cachedBytes(JavaSparkContext spark, RDD<?> data) {
    data.count();
    return storedBytes(spark);
  }

  private static long storedBytes(JavaSparkContext spark) {
    long bytes = 0;
    for (StorageStatus status : spark.sc().env().blockManager().master().getStorageStatus()) {
      Iterator<Tuple2<BlockId, BlockStatus>> blocks = status.rddBlocks().iterator();
      while (blocks.hasNext()) {
        bytes += blocks.next()._2().memSize();
      }
    }
    return bytes;
  }

  private static List<RDDBlockId> blocks(JavaSparkContext spark) {
    List<RDDBlockId> ids = new ArrayList<>();
    for (StorageStatus status : spark.sc().env().blockManager().master().getStorageStatus()) {
      Iterator<Tuple2<BlockId, BlockStatus>> blocks = status.rddBlocks().iterator();
      while (blocks.hasNext()) {
        ids.add((RDDBlockId) blocks.next()._1());
      }
    }
    return ids;
  }

  private static RDD<Tuple2<Object, Vector>> persisted(JavaSparkContext spark) {
    return rows(spark).persist(StorageLevel.MEMORY_AND_DISK());
  }

  /** Each evaluation of an RDD that is not cached makes new rows. */
  private static RDD<Tuple2<Object, Vector>> rows(JavaSparkContext spark) {
    JavaRDD<Tuple2<Object, Vector>> rows =
        spark
            .parallelize(IntStream.range(0, 3000).boxed().toList(), PARTITIONS)
            .map(
                i -> {
                  double[] values = new double[FEATURES];
                  for (int f = 0; f < FEATURES; f++) {
                    values[f] = Math.sin(i * (f + 1) * 7.1);
                  }
                  double label = values[0] > 0.2 ^ i % 7 == 0 ? 1 : 0;
                  return new Tuple2<>((Object) label, Vectors.dense(values));
                });
    return rows.rdd();
  }

  private static Vector train(RDD<Tuple2<Object, Vector>> data) {
    return train(data, new LogisticGradient());
  }

  private static Vector train(RDD<Tuple2<Object, Vector>> data, Gradient gradient) {
    return train(data, gradient, new SquaredL2Updater());
  }

  private static Vector train(
      RDD<Tuple2<Object, Vector>> data, Gradient gradient, Updater updater) {
    return LBFGS
        .runLBFGS(
            data,
            gradient,
            updater,
            /* numCorrections= */ 5,
            /* convergenceTol= */ 0,
            ITERATIONS,
            /* regParam= */ 0.1,
            Vectors.zeros(FEATURES))
        ._1();
  }

  /** Interrupts the optimizer's thread when the first sum is there. */
  private static final class Interrupter extends Updater {
    private static final long serialVersionUID = 1L;

    @Override
    public Tuple2<Vector, Object> compute(
        Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
      Thread.currentThread().interrupt();
      return new SquaredL2Updater().compute(weights, gradient, stepSize, iteration, regParam);
    }
  }

  private static final class Thrower extends Gradient {
    private static final long serialVersionUID = 1L;

    @Override
    public double compute(Vector data, double label, Vector weights, Vector cumGradient) {
      if (TaskContext.getPartitionId() == PARTITIONS - 1) { // the others have stored their blocks
        throw new IllegalArgumentException("a user's own");
      }
      return 0;
    }
  }
}
