package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparkata.spark.CachedBlocks;
import io.sparkata.testing.Processes;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.Web;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.storage.StorageLevel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Cached partitions leave a slow executor, and every job computes what it did before. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CacheIT {
  private static final String SLOW = "1";
  private static final int PARTITIONS = 12;
  private static final int NUMBERS = 1200;
  private static final long EXPECTED = (long) NUMBERS * (NUMBERS - 1) / 2;

  private TestCluster cluster;

  /** An element of a class that only the application knows. */
  private record Item(int value) implements Serializable {}

  /** An element that never leaves its executor. */
  private static final class Bound {
    private final int value;

    private Bound(int value) {
      this.value = value;
    }
  }

  @BeforeAll
  void start() {
    cluster =
        TestCluster.start(
            Map.of(
                "spark.ata.cache", "balance",
                "spark.ui.enabled", "true",
                "spark.ui.port", "0"));
    assertThat(cluster.context().parallelize(List.of(1, 2, 3, 4, 5, 6), 6).map(Item::new).count())
        .isEqualTo(6); // on cold JVMs
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private SparkContext context() {
    return cluster.context().sc();
  }

  private static void lag(long slowMicros, long othersMicros) {
    long micros = SparkEnv.get().executorId().equals(SLOW) ? slowMicros : othersMicros;
    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
  }

  /** Cached at equal speed, so that the slow executor has some; by stages that are not light. */
  private JavaRDD<Item> numbers(StorageLevel level) {
    List<Integer> all = IntStream.range(0, NUMBERS).boxed().toList();
    JavaRDD<Item> numbers =
        cluster.context().parallelize(all, PARTITIONS).map(Item::new).persist(level);
    assertThat(sum(numbers, /* slowMicros= */ 500, 500)).isEqualTo(EXPECTED);
    if (level.replication() == 1) {
      assertThat(partitions(numbers.rdd()).get(SLOW)).isGreaterThan(2);
    }
    return numbers;
  }

  private static long sum(JavaRDD<Item> numbers) {
    return sum(numbers, /* slowMicros= */ 1000, /* othersMicros= */ 100);
  }

  private static long sum(JavaRDD<Item> numbers, long slowMicros, long othersMicros) {
    return numbers
        .map(
            number -> {
              lag(slowMicros, othersMicros);
              return (long) number.value();
            })
        .reduce(Long::sum);
  }

  private static long sumBound(JavaRDD<Bound> numbers, long slowMicros, long othersMicros) {
    return numbers
        .map(
            number -> {
              lag(slowMicros, othersMicros);
              return (long) number.value;
            })
        .reduce(Long::sum);
  }

  private Map<String, Integer> partitions(RDD<?> rdd) {
    Map<String, Integer> partitions = new HashMap<>();
    CachedBlocks.of(context(), List.of(rdd.id()), PARTITIONS)
        .forEach(block -> partitions.merge(block.executor(), 1, Integer::sum));
    return partitions;
  }

  @Tag("spark")
  @Test
  void reduce_again_leavesTheSlowExecutor() {
    JavaRDD<Item> numbers = numbers(StorageLevel.MEMORY_ONLY());
    assertThat(sum(numbers)).isEqualTo(EXPECTED);
    List<CachedBlocks.Block> first = CachedBlocks.of(context(), List.of(numbers.id()), PARTITIONS);
    for (int job = 0; job < 20; job++) {
      assertThat(sum(numbers)).isEqualTo(EXPECTED);
    }

    // of 12, an executor far slower than two others keeps one or none
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () -> {
              assertThat(sum(numbers)).isEqualTo(EXPECTED);
              Map<String, Integer> now = partitions(numbers.rdd());
              assertThat(now.getOrDefault(SLOW, 0)).isLessThanOrEqualTo(2);
              assertThat(now.values().stream().mapToInt(v -> v).sum()).isEqualTo(PARTITIONS);
            });
    assertThat(sum(numbers)).isEqualTo(EXPECTED);
    Awaitility.await().untilAsserted(() -> assertShown(numbers, first));

    numbers.unpersist(/* blocking= */ true);
    Awaitility.await().until(() -> partitions(numbers.rdd()).isEmpty());
  }

  /** It has lost its last partition, and only a task shows that it is fast again. */
  @Tag("nightly")
  @Test
  void reduce_afterAnExecutorRecovers_usesItAgain() {
    JavaRDD<Item> numbers = numbers(StorageLevel.MEMORY_ONLY());
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () -> {
              assertThat(sum(numbers, /* slowMicros= */ 10_000, 200)).isEqualTo(EXPECTED);
              assertThat(partitions(numbers.rdd())).doesNotContainKey(SLOW);
            });

    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () -> {
              assertThat(sum(numbers, /* slowMicros= */ 200, 200)).isEqualTo(EXPECTED);
              assertThat(partitions(numbers.rdd()).getOrDefault(SLOW, 0)).isGreaterThan(2);
            });
    numbers.unpersist(/* blocking= */ true);
  }

  /** In stages longer than Spark's 3 s; Spark alone has it take one in each of them. */
  @Tag("nightly")
  @Test
  void reduce_longStages_slowExecutorWithoutPartitionsTakesNoneOfOthers() {
    JavaRDD<Item> numbers = numbers(StorageLevel.MEMORY_ONLY());
    Awaitility.await()
        .atMost(Duration.ofMinutes(4))
        .untilAsserted(
            () -> {
              assertThat(sum(numbers, /* slowMicros= */ 100_000, 4_500)).isEqualTo(EXPECTED);
              assertThat(partitions(numbers.rdd())).doesNotContainKey(SLOW);
            });
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () -> {
              assertThat(sum(numbers, 100_000, 4_500)).isEqualTo(EXPECTED);
              assertThat(context().conf().contains("spark.locality.wait.process")).isTrue();
            });

    for (int job = 0; job < 5; job++) {
      List<String> ran =
          numbers
              .mapPartitions(
                  items -> {
                    items.forEachRemaining(item -> lag(100_000, 4_500));
                    return List.of(SparkEnv.get().executorId()).iterator();
                  })
              .collect();
      assertThat(ran).hasSize(PARTITIONS).doesNotContain(SLOW);
    }
    numbers.unpersist(/* blocking= */ true);
    Awaitility.await()
        .untilAsserted(
            () -> assertThat(context().conf().contains("spark.locality.wait.process")).isFalse());
  }

  private void assertShown(JavaRDD<?> rows, List<CachedBlocks.Block> first)
      throws IOException, InterruptedException {
    List<CachedBlocks.Block> now =
        new ArrayList<>(CachedBlocks.of(context(), List.of(rows.id()), PARTITIONS));
    now.removeAll(first);
    for (JsonNode cache : Web.json(context().uiWebUrl().get() + "/ata/cache/json")) {
      if (cache.get("rdd").asInt() == rows.id()) {
        assertThat(cache.get("name").asText()).contains("map at CacheIT.java");
        assertThat(cache.get("stages").asInt()).isGreaterThanOrEqualTo(18);
        assertThat(cache.get("movedPartitions").asInt()).isGreaterThanOrEqualTo(now.size());
        return;
      }
    }
    throw new AssertionError("The tab does not show RDD " + rows.id());
  }

  @Tag("spark")
  @Test
  void sql_cachedTable_leavesTheSlowExecutor() {
    SparkSession session = SparkSession.builder().sparkContext(context()).getOrCreate();
    session
        .udf()
        .register(
            "slowly",
            (Long value, Integer slowMicros) -> {
              lag(slowMicros, /* othersMicros= */ 200);
              return value;
            },
            org.apache.spark.sql.types.DataTypes.LongType);
    Dataset<Row> values = session.range(0, NUMBERS, 1, PARTITIONS).toDF("value");
    assertThat(sumOfGroups(values, /* slowMicros= */ 200)).isEqualTo(EXPECTED); // on cold JVMs
    Dataset<Row> table = values.cache();
    assertThat(sumOfGroups(table, /* slowMicros= */ 200)).isEqualTo(EXPECTED);
    int first = newest().get(SLOW);
    assertThat(first).isGreaterThan(2);

    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () -> {
              assertThat(sumOfGroups(table, /* slowMicros= */ 2000)).isEqualTo(EXPECTED);
              assertThat(newest().getOrDefault(SLOW, 0)).isLessThanOrEqualTo(first / 2);
            });
    table.unpersist(/* blocking= */ true);
  }

  private static long sumOfGroups(Dataset<Row> table, int slowMicros) {
    Column slowly = functions.callUDF("slowly", functions.col("value"), functions.lit(slowMicros));
    return table
        .select(slowly.as("value"))
        .groupBy(functions.col("value").mod(7).as("group"))
        .agg(functions.sum("value"))
        .collectAsList()
        .stream()
        .mapToLong(row -> row.getLong(1))
        .sum();
  }

  /** Partitions of the RDD that was persisted last. */
  private Map<String, Integer> newest() {
    int id =
        cluster.context().getPersistentRDDs().keySet().stream()
            .max(Comparator.naturalOrder())
            .orElseThrow();
    return partitions(cluster.context().getPersistentRDDs().get(id).rdd());
  }

  /** A copy that ends after Spark has removed the RDD goes, too. */
  @Test
  void unpersist_whileMoving_leavesNothing() {
    List<RDD<?>> gone = new ArrayList<>();
    for (int time = 0; time < 2; time++) {
      JavaRDD<Item> numbers = numbers(StorageLevel.MEMORY_ONLY());
      for (int job = 0; job < 4 + 2 * time; job++) {
        assertThat(sum(numbers)).isEqualTo(EXPECTED);
      }
      numbers.unpersist(/* blocking= */ false);
      gone.add(numbers.rdd());
    }

    Awaitility.await()
        .during(Duration.ofSeconds(3)) // an order may be on its way
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () -> assertThat(gone).allSatisfy(rdd -> assertThat(partitions(rdd)).isEmpty()));
  }

  /** Partitions of a lost executor are computed again, by Spark. */
  @Test
  void reduce_executorKilledWhileMoving_isStillRight() {
    JavaRDD<Item> numbers = numbers(StorageLevel.MEMORY_ONLY());
    for (int job = 0; job < 12; job++) {
      assertThat(sum(numbers)).isEqualTo(EXPECTED);
      if (job == 4) {
        Processes.kill9(Processes.ofExecutor(cluster.context(), "0")); // which receives
      }
    }
    numbers.unpersist(/* blocking= */ true);
  }

  /** Objects that cannot be sent stay, and Spark holds no lock of theirs. */
  @Test
  void reduce_notSerializable_staysWhereItIs() {
    List<Integer> all = IntStream.range(0, NUMBERS).boxed().toList();
    JavaRDD<Bound> numbers = cluster.context().parallelize(all, PARTITIONS).map(Bound::new).cache();
    assertThat(sumBound(numbers, /* slowMicros= */ 500, 500)).isEqualTo(EXPECTED);
    Map<String, Integer> before = partitions(numbers.rdd());
    assertThat(before.get(SLOW)).isGreaterThan(2);
    for (int job = 0; job < 10; job++) {
      assertThat(sumBound(numbers, /* slowMicros= */ 1000, 100)).isEqualTo(EXPECTED);
    }

    assertThat(partitions(numbers.rdd())).isEqualTo(before);
    assertNotLocked(numbers);
  }

  /** Spark waits 120 s for a lock, and then fails. */
  private static void assertNotLocked(JavaRDD<?> rdd) {
    assertThat(CompletableFuture.runAsync(() -> rdd.unpersist(/* blocking= */ true)))
        .succeedsWithin(Duration.ofSeconds(30));
  }

  /** Such as the folds of a table: each stage that reads it caches what it computes. */
  @Test
  void reduce_eachStageCachesAnotherRdd_leavesTheSlowExecutor() {
    JavaRDD<Item> numbers = numbers(StorageLevel.MEMORY_ONLY());
    List<JavaRDD<Item>> folds = new ArrayList<>();
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () -> {
              JavaRDD<Item> fold = numbers.filter(number -> true).cache();
              folds.add(fold);
              assertThat(sum(fold)).isEqualTo(EXPECTED);
              assertThat(partitions(numbers.rdd()).getOrDefault(SLOW, 0)).isLessThanOrEqualTo(2);
            });
    folds.forEach(CacheIT::assertNotLocked);
    numbers.unpersist(/* blocking= */ true);
  }

  /** It is sent as the bytes that it is. */
  @Test
  void reduce_serialized_leavesTheSlowExecutor() {
    JavaRDD<Item> numbers = numbers(StorageLevel.MEMORY_ONLY_SER());
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () -> {
              assertThat(sum(numbers)).isEqualTo(EXPECTED);
              assertThat(partitions(numbers.rdd()).getOrDefault(SLOW, 0)).isLessThanOrEqualTo(2);
            });
    assertThat(sum(numbers)).isEqualTo(EXPECTED);
    assertThat(CachedBlocks.of(context(), List.of(numbers.id()), PARTITIONS))
        .hasSize(PARTITIONS)
        .allMatch(CachedBlocks.Block::isMovable);
    numbers.unpersist(/* blocking= */ true);
    Awaitility.await().until(() -> partitions(numbers.rdd()).isEmpty());
  }

  /** Spark runs its tasks at either copy. */
  @Test
  void reduce_replicated_staysWhereItIs() {
    JavaRDD<Item> numbers = numbers(StorageLevel.MEMORY_ONLY_2());
    sum(numbers);
    Map<String, Integer> before = partitions(numbers.rdd());
    Awaitility.await()
        .during(Duration.ofSeconds(4)) // a probe and a copy begin within a second each
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              assertThat(sum(numbers)).isEqualTo(EXPECTED);
              assertThat(partitions(numbers.rdd())).isEqualTo(before);
            });
    numbers.unpersist(/* blocking= */ true);
  }
}
