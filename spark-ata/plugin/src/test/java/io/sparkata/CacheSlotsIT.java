package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Executor;
import io.sparkata.spark.CachedBlocks;
import io.sparkata.testing.Processes;
import io.sparkata.testing.TestCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.util.LongAccumulator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Cached partitions leave a throttled executor of a cluster whose executors have two slots. */
@Tag("spark")
@Tag("nightly") // CacheIT has executors of one slot
class CacheSlotsIT {
  private static final String SLOW = "1";
  private static final double SHARE = 0.25;
  private static final int PARTITIONS = 24;
  private static final int NUMBERS = 1200;
  private static final long EXPECTED = (long) NUMBERS * (NUMBERS - 1) / 2;

  /** Tasks of {@link #mostAtOnce} in this JVM, an executor's. */
  private static final AtomicInteger RUNNING = new AtomicInteger();

  private TestCluster cluster;

  /** Of the cluster. */
  Map<String, String> settings() {
    return Map.of("spark.master", "local-cluster[" + TestCluster.EXECUTORS + ",2,1024]");
  }

  /** Short waits, of which a process that is stopped again and again has fewer, on any machine. */
  private static long slowly(int number) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    return number;
  }

  private static long sum(JavaRDD<Integer> numbers) {
    return numbers.map(CacheSlotsIT::slowly).reduce(Long::sum);
  }

  /** How many tasks of one stage each executor ran at the same time. */
  private static Map<String, Integer> mostAtOnce(JavaRDD<Integer> numbers) {
    return numbers
        .mapPartitionsToPair(
            some -> {
              int running = RUNNING.incrementAndGet();
              some.forEachRemaining(CacheSlotsIT::slowly);
              RUNNING.decrementAndGet();
              return List.of(new Tuple2<>(SparkEnv.get().executorId(), running)).iterator();
            })
        .reduceByKey(Math::max)
        .collectAsMap();
  }

  /** Partitions by executor, as the master knows them. */
  private Map<String, Set<Integer>> held(JavaRDD<Integer> numbers) {
    return CachedBlocks.of(cluster.context().sc(), List.of(numbers.id()), PARTITIONS).stream()
        .collect(
            Collectors.groupingBy(
                CachedBlocks.Block::executor,
                Collectors.mapping(CachedBlocks.Block::partition, Collectors.toSet())));
  }

  /** The same, as the executors know them. */
  private Map<String, Set<Integer>> heldByTheirWord(JavaRDD<Integer> numbers) {
    int rdd = numbers.id();
    Map<String, Set<Integer>> held = new HashMap<>();
    cluster
        .context()
        .parallelize(IntStream.range(0, 64).boxed().toList(), 64)
        .mapToPair(
            task -> {
              slowly(task);
              Set<Integer> own =
                  IntStream.range(0, PARTITIONS)
                      .filter(
                          p ->
                              SparkEnv.get()
                                  .blockManager()
                                  .getStatus(new RDDBlockId(rdd, p))
                                  .isDefined())
                      .boxed()
                      .collect(Collectors.toSet());
              return new Tuple2<>(SparkEnv.get().executorId(), own);
            })
        .collect()
        .stream()
        .filter(one -> !one._2().isEmpty())
        .forEach(one -> held.put(one._1(), one._2()));
    return held;
  }

  /** Again until it is so: an executor that is late, on a busy machine, caches fewer. */
  private JavaRDD<Integer> cachedEvenly(LongAccumulator made, int even) {
    List<Integer> all = IntStream.range(0, NUMBERS).boxed().toList();
    for (int attempt = 0; attempt < 50; attempt++) {
      made.reset();
      JavaRDD<Integer> numbers =
          cluster
              .context()
              .parallelize(all, PARTITIONS)
              .map(
                  number -> {
                    made.add(1);
                    slowly(number);
                    return number;
                  })
              .cache();
      assertThat(sum(numbers)).isEqualTo(EXPECTED);
      int ofSlow = held(numbers).getOrDefault(SLOW, Set.of()).size();
      if (Math.abs(ofSlow - even) <= 2) {
        return numbers;
      }
      numbers.unpersist(/* blocking= */ true);
    }
    throw new AssertionError("Executor " + SLOW + " never cached about " + even);
  }

  @Test
  void reduce_executorIsThrottled_itKeepsItsShareAndAllSlotsWork() {
    Map<String, String> settings = new HashMap<>(settings());
    settings.put("spark.ata.cache", "balance");
    try (TestCluster started = TestCluster.start(settings)) {
      cluster = started;
      long slow = Processes.ofExecutor(cluster.context(), SLOW);
      List<Executor> executors = cluster.runtime().cluster().staying();
      LongAccumulator made = cluster.context().sc().longAccumulator();
      int even = PARTITIONS / executors.size();
      JavaRDD<Integer> numbers = cachedEvenly(made, even);

      AtomicBoolean isOver = new AtomicBoolean();
      CompletableFuture<Void> throttle =
          CompletableFuture.runAsync(
              () -> {
                while (!isOver.get()) {
                  Processes.throttle(slow, SHARE, /* millis= */ 500);
                }
              });
      try {
        Awaitility.await()
            .atMost(Duration.ofMinutes(3))
            .untilAsserted(() -> assertBalanced(numbers, executors, even / 2));
      } finally {
        isOver.set(true);
        throttle.join();
      }

      assertThat(sum(numbers)).isEqualTo(EXPECTED);
      assertThat(made.value()).as("numbers made, each once").isEqualTo(NUMBERS);
      numbers.unpersist(/* blocking= */ true);
      Awaitility.await().until(() -> heldByTheirWord(numbers).isEmpty());
    }
  }

  private void assertBalanced(JavaRDD<Integer> numbers, List<Executor> executors, int most) {
    assertThat(sum(numbers)).isEqualTo(EXPECTED);
    Map<String, Set<Integer>> held = held(numbers);
    assertThat(held.values().stream().mapToInt(Set::size).sum()).isEqualTo(PARTITIONS);
    assertThat(held.getOrDefault(SLOW, Set.of())).hasSizeLessThanOrEqualTo(most);
    assertThat(heldByTheirWord(numbers)).isEqualTo(held);
    Map<String, Integer> running = mostAtOnce(numbers);
    for (Executor executor : executors) {
      assertThat(running.getOrDefault(executor.id(), 0))
          .isEqualTo(Math.min(executor.slots(), held.getOrDefault(executor.id(), Set.of()).size()));
    }
  }
}
