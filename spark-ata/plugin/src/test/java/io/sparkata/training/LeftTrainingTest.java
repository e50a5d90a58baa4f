package io.sparkata.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.AtaGradientDescent;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.storage.StorageStatus;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.collection.Iterator;

/** Trainings that Spark ATA does not finish, in one block manager with 24 MB of storage memory. */
@Tag("spark")
class LeftTrainingTest {
  private static final long MB = 1L << 20;
  private static final int FEATURES = 20;
  private static final int ITERATIONS = 4;

  private static final int HALF_WAY = 20_000;

  /** Rows that tasks have seen, which run in this JVM. */
  private static final AtomicInteger SEEN = new AtomicInteger();

  /** Rows at which a task waited, and went on. */
  private static final AtomicInteger WENT_ON = new AtomicInteger();

  private static CountDownLatch isHalfWay;
  private static CountDownLatch mayGoOn;

  private JavaSparkContext spark;

  @BeforeEach
  void start() {
    SEEN.set(0);
    WENT_ON.set(0);
    isHalfWay = new CountDownLatch(1);
    mayGoOn = new CountDownLatch(1);
    spark =
        LocalSpark.start(
            Map.of(
                "spark.ata.report", "log",
                "spark.ata.blockSize", "1m",
                "spark.testing.memory", String.valueOf(40 * MB),
                "spark.testing.reservedMemory", "0"));
  }

  @AfterEach
  void stop() {
    mayGoOn.countDown();
    spark.close();
  }

  /** As by {@code shutdownNow()} of a pool that trains. */
  @Test
  void train_interruptedWhilePacking_endsItsJobAndLeavesNoBlock() throws InterruptedException {
    RDD<Tuple2<Object, Vector>> data =
        generated(40_000).toJavaRDD().map(LeftTrainingTest::stopHalfWay).rdd();
    Mllib training = new Mllib(data, new LogisticGradient(), 0.5, ITERATIONS, FEATURES);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread = new Thread(() -> training.trainBySparkAta(null));
    thread.setUncaughtExceptionHandler((unused, error) -> thrown.set(error));
    thread.start();
    isHalfWay.await();
    assertThat(rddBlocks()).isNotEmpty();

    thread.interrupt();
    thread.join();

    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> spark.statusTracker().getActiveJobIds().length == 0);
    mayGoOn.countDown(); // only now do the tasks see that they are not wanted
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(rddBlocks()).isEmpty());
    assertThat(WENT_ON).as("rows at which a task went on, uninterrupted").hasPositiveValue();
  }

  @Test
  void train_noRoomToPackLostBlocksAgain_goesOnByMllibWithTheReason() {
    Mllib training =
        new Mllib(generated(60_000), new LogisticGradient(), 0.5, ITERATIONS, FEATURES);
    JavaRDD<byte[]> others =
        spark
            .parallelize(List.of(0, 1), 1)
            .map(unused -> new byte[(int) (9 * MB)])
            .persist(StorageLevel.MEMORY_ONLY());
    Runnable takeTheRoom =
        () -> {
          rddBlocks()
              .forEach(
                  name -> SparkEnv.get().blockManager().master().removeBlock(BlockId.apply(name)));
          Awaitility.await().until(() -> rddBlocks().isEmpty());
          others.count();
        };

    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      Tuple2<Vector, double[]> ours =
          new AtaGradientDescent(training.gradient(), new Disturbing(takeTheRoom))
              .setStepSize(0.5)
              .setNumIterations(ITERATIONS)
              .setRegParam(0.01)
              .setMiniBatchFraction(training.fraction())
              .setConvergenceTol(0.0)
              .optimizeWithLossReturned(training.data(), Vectors.zeros(FEATURES));

      assertThat(log.messages(Level.WARN)).isEmpty();
      assertThat(log.messages(Level.INFO))
          .anyMatch(message -> message.contains("no room in free storage memory"));
      Mllib.assertSame(ours, training.trainByMllib());
    }
    AtaRuntime runtime = AtaRuntime.of(spark.sc()).orElseThrow();
    assertThat(runtime.counters().rounds).hasValue(2);
    assertThat(runtime.counters().passedThrough).hasValue(1);
    assertThat(runtime.counters().fallbacks).hasValue(0);
    assertThat(rddBlocks()).containsExactly("rdd_" + others.id() + "_0");
  }

  /** Each attempt at a round loses blocks, while the executor stays. */
  @Test
  void train_blocksEvictedInEveryAttempt_goesOnByMllibWithTheReason() {
    Mllib training = new Mllib(generated(60_000), new Evicting(), 0.5, ITERATIONS, FEATURES);

    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      Tuple2<Vector, double[]> ours =
          training.trainBySparkAta(null, new Disturbing(() -> Evicting.IS_ON.set(true)));

      assertThat(log.messages(Level.WARN)).isEmpty();
      assertThat(log.messages(Level.INFO))
          .anyMatch(message -> message.contains("packed blocks were evicted 9 times"));
      Mllib.assertSame(ours, training.trainByMllib());
    } finally {
      Evicting.IS_ON.set(false);
    }
    assertThat(AtaRuntime.of(spark.sc()).orElseThrow().counters().fallbacks).hasValue(0);
  }

  /** Drops packed blocks while it computes; those in use stay. */
  private static final class Evicting extends Gradient {
    private static final long serialVersionUID = 1L;
    private static final AtomicBoolean IS_ON = new AtomicBoolean();
    private static final int ROWS = 500;

    private final Gradient own = new LogisticGradient();

    @Override
    public double compute(Vector row, double label, Vector weights, Vector sum) {
      if (IS_ON.get() && SEEN.incrementAndGet() % ROWS == 0) {
        rddBlocks()
            .forEach(
                name -> SparkEnv.get().blockManager().master().removeBlock(BlockId.apply(name)));
        for (int look = 0; look < 100 && rddBlocks().size() > 2; look++) {
          LockSupport.parkNanos(1_000_000);
        }
      }
      return own.compute(row, label, weights, sum);
    }
  }

  private static List<String> rddBlocks() {
    List<String> found = new ArrayList<>();
    for (StorageStatus status : SparkEnv.get().blockManager().master().getStorageStatus()) {
      Iterator<BlockId> ids = status.blocks().keysIterator();
      while (ids.hasNext()) {
        BlockId id = ids.next();
        if (id.isRDD()) {
          found.add(id.name());
        }
      }
    }
    return found;
  }

  private RDD<Tuple2<Object, Vector>> generated(int rows) {
    return TestData.generated(spark, rows, FEATURES, /* partitions= */ 2);
  }

  /** Of each task, when it has stored some blocks. */
  private static Tuple2<Object, Vector> stopHalfWay(Tuple2<Object, Vector> row)
      throws InterruptedException {
    if (SEEN.incrementAndGet() == HALF_WAY) {
      isHalfWay.countDown();
    }
    if (SEEN.get() >= HALF_WAY) {
      mayGoOn.await();
      WENT_ON.incrementAndGet();
    }
    return row;
  }

  /** Does something before its second update. */
  private static final class Disturbing extends Updater {
    private static final long serialVersionUID = 1L;
    private final transient Runnable before;
    private final Updater updater = new SquaredL2Updater();

    Disturbing(Runnable before) {
      this.before = before;
    }

    @Override
    public Tuple2<Vector, Object> compute(
        Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
      if (iteration == 2) {
        before.run();
      }
      return updater.compute(weights, gradient, stepSize, iteration, regParam);
    }
  }
}
