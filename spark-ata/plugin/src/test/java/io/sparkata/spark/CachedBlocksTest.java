package io.sparkata.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.testing.LocalSpark;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class CachedBlocksTest {
  /** A copy that arrives while Spark removes its RDD, and is reported after the removal. */
  @Test
  void remove_sparkHasDroppedTheCopyWithoutAWord_masterForgetsIt() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      RDDBlockId id = new RDDBlockId(SparkBlocks.newRddId(spark.sc()), 3);
      BlockManager manager = SparkEnv.get().blockManager();
      assertThat(ExecutorInternals.put(id, "elements")).isTrue();
      manager.removeBlock(id, /* tellMaster= */ false);
      assertThat(manager.master().getLocations(id).size()).isOne();

      assertThat(CachedBlocks.remove(id.rddId(), id.splitIndex())).isTrue();
      assertThat(manager.master().getLocations(id).isEmpty()).isTrue();
    }
  }

  @Test
  void sendNanos_objects_growWithTheirNumber() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      sendNanos(spark, 400_000, StorageLevel.MEMORY_ONLY()); // compiles
      long few = leastSendNanos(spark, 1_000);
      long many = leastSendNanos(spark, 400_000);

      assertThat(few).isPositive();
      assertThat(many / few).isBetween(20L, 8_000L); // 400
      assertThat(sendNanos(spark, 1_000, StorageLevel.MEMORY_ONLY_SER())).isZero();
    }
  }

  /** Of several: another process may hold one up. */
  private static long leastSendNanos(JavaSparkContext spark, int elements) {
    return IntStream.range(0, 5)
        .mapToLong(time -> sendNanos(spark, elements, StorageLevel.MEMORY_ONLY()))
        .min()
        .orElseThrow();
  }

  private static long sendNanos(JavaSparkContext spark, int elements, StorageLevel level) {
    JavaRDD<String> rows =
        spark
            .parallelize(IntStream.range(0, elements).boxed().toList(), 1)
            .map(number -> "row " + number)
            .persist(level);
    rows.count();
    long nanos = CachedBlocks.sendNanos(rows.id(), 0, CachedBlocks.tagOf(spark.sc(), rows.id()));
    rows.unpersist(/* blocking= */ true); // a lock that is held would let it fail
    return nanos;
  }

  @Test
  void sendNanos_notHere_isNegative() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      JavaRDD<Integer> rows = spark.parallelize(List.of(1, 2), 1).cache();

      assertThat(CachedBlocks.sendNanos(rows.id(), 0, CachedBlocks.tagOf(spark.sc(), rows.id())))
          .isNegative();
    }
  }

  /** The driver gives the order when the RDD is garbage, and Spark removes its blocks later. */
  @Test
  void sendNanos_rddIsNoLongerPersisted_isNegativeAndKeepsNoLock() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      assertKeepsNoLock(
          spark, id -> assertThat(CachedBlocks.sendNanos(id, 0, new byte[0])).isNegative());
    }
  }

  @Test
  void sendNanos_tagIsUnreadable_throwsAndKeepsNoLock() {
    try (JavaSparkContext spark = LocalSpark.startPlain(Map.of())) {
      assertKeepsNoLock(
          spark,
          id ->
              assertThatThrownBy(() -> CachedBlocks.sendNanos(id, 0, new byte[] {1}))
                  .isInstanceOf(IOException.class));
    }
  }

  /** Spark takes the lock of a writer before it removes a block, and waits for every reader. */
  private static void assertKeepsNoLock(JavaSparkContext spark, IntConsumer send) {
    JavaRDD<Integer> rows = spark.parallelize(List.of(1, 2), 1).cache();
    rows.count();

    send.accept(rows.id());

    assertThat(CompletableFuture.runAsync(() -> rows.unpersist(/* blocking= */ true)))
        .succeedsWithin(Duration.ofSeconds(30));
  }
}
