package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.Fitted;
import io.sparkata.testing.JvmState;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Function1;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag$;

/**
 * Twenty sessions train at the same time in one application, a third of their trainings is
 * cancelled at a random time, and some sessions have switched Spark ATA off: stock models, and
 * nothing left. Runs by {@code scripts/test --long soak}; prints its figures. A seed gives the same
 * trainings and times, but not the same interleaving.
 */
@Tag("nightly")
class SharedServerIT {
  private static final int SESSIONS = 20;
  private static final int TRAININGS = Integer.getInteger("ata.server.trainings", 200);
  private static final int EACH = TRAININGS / SESSIONS;
  private static final long SEED = Long.getLong("ata.server.seed", 1);
  private static final int SLOTS = 2 * TestCluster.EXECUTORS;
  private static final int FEATURES = 12;
  private static final int PARTITIONS = 4;

  /** Of one session that trains without the others: then rounds go by message. */
  private static final int TRAININGS_ALONE = 10;

  /** A cancellation comes within the duration of the last such training, or within this. */
  private static final long FIRST_MILLIS = 5_000;

  private static final int MARGIN_THREADS = 10;

  private enum Work {
    DESCENT {
      @Override
      Fitted train(JavaSparkContext spark) {
        return descent(spark, 2_000, /* iterations= */ 10);
      }
    },
    LONG_DESCENT {
      @Override
      Fitted train(JavaSparkContext spark) {
        return descent(spark, 4_000, /* iterations= */ 40);
      }
    },
    LOGISTIC {
      @Override
      Fitted train(JavaSparkContext spark) {
        return fit(spark, Fit.LOGISTIC);
      }
    },
    ELASTIC_NET {
      @Override
      Fitted train(JavaSparkContext spark) {
        return fit(spark, Fit.ELASTIC_NET);
      }
    },
    MLLIB_OPTIMIZER {
      @Override
      Fitted train(JavaSparkContext spark) {
        return fit(spark, Fit.MLLIB_OPTIMIZER);
      }
    };

    abstract Fitted train(JavaSparkContext spark);

    boolean isDescent() {
      return this == DESCENT || this == LONG_DESCENT;
    }

    private static Fitted descent(JavaSparkContext spark, int rows, int iterations) {
      Tuple2<Vector, double[]> trained =
          Mllib.logistic(spark, rows, FEATURES, PARTITIONS, iterations).trainByMllib();
      return Fitted.of(trained._1().toArray(), new double[0], trained._2());
    }

    private static Fitted fit(JavaSparkContext spark, Fit fit) {
      FitData data =
          FitData.even(spark, FEATURES, /* sparse= */ false, FitData.SMALL_BLOCKS, 900, PARTITIONS);
      return fit.train(data, Fit.Terms.PLAIN, /* iterations= */ 5);
    }
  }

  /** Whether a session trains by Spark ATA. */
  private enum Switch {
    ON,
    OFF_BY_SESSION,
    OFF_BY_LOCAL_PROPERTY;

    private static Switch of(int session) {
      return switch (session % 10) {
        case 3 -> OFF_BY_SESSION;
        case 7 -> OFF_BY_LOCAL_PROPERTY;
        default -> ON;
      };
    }
  }

  /**
   * One training.
   *
   * @param isCancelled it is repeated until then, so that every cancellation meets a training
   * @param seed of the times when it is cancelled
   * @param interrupts whether Spark interrupts the threads of cancelled tasks
   */
  private record Order(Work work, boolean isCancelled, long seed, boolean interrupts) {
    private static final List<Work> WORKS = List.of(Work.values());

    static Order of(Random random) {
      return new Order(
          WORKS.get(random.nextInt(WORKS.size())),
          random.nextInt(3) == 0,
          random.nextLong(),
          random.nextBoolean());
    }
  }

  private final Map<Work, Fitted> stock = new EnumMap<>(Work.class);
  private final Map<Work, Long> millis = new ConcurrentHashMap<>();
  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong cancelled = new AtomicLong();
  private final AtomicLong switchedOff = new AtomicLong();
  private final AtomicLong descents = new AtomicLong();
  private final AtomicLong fits = new AtomicLong();
  private final AtomicLong completedFits = new AtomicLong();

  @Test
  void train_manySessionsAndCancellations_givesStockModelsAndLeavesNothing() {
    Mllib.withStock(
        spark -> List.of(Work.values()).forEach(work -> stock.put(work, work.train(spark))));
    Map<String, String> settings = new HashMap<>(JvmState.SMALL_STORE);
    settings.put("spark.master", "local-cluster[" + TestCluster.EXECUTORS + ",2,1024]");
    settings.put("spark.scheduler.mode", "FAIR");
    settings.put("spark.ata.route", "gradientDescent,lbfgs");
    settings.put("spark.ata.policy", "adaptive");
    settings.put("spark.ata.onError", "fallback");
    settings.put("spark.ata.blockSize", "16k");
    ExecutorService sessions = Executors.newFixedThreadPool(SESSIONS);
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    try (TestCluster cluster = TestCluster.start(settings);
        CapturedLog log = CapturedLog.of("io.sparkata")) {
      JavaSparkContext spark = cluster.context();
      Leftovers leftovers = Leftovers.watch(spark);
      List<Session> all =
          IntStream.range(0, SESSIONS).mapToObj(i -> new Session(i, cluster, timer)).toList();

      trainAll(all, EACH / 5, sessions);
      leftovers.awaitNone();
      JvmState before = JvmState.ofDriver(spark);
      trainAll(all, EACH - EACH / 5, sessions);
      trainAll(all.subList(0, 1), TRAININGS_ALONE, sessions);
      leftovers.awaitNone();
      JvmState after = JvmState.ofDriver(spark);

      String work =
          String.format(
              "%d trainings completed, %d cancelled, %d of both switched off, %s, lbfgs: %s",
              completed.get(),
              cancelled.get(),
              switchedOff.get(),
              cluster.counters(),
              cluster.evaluations());
      before.assertFlat(work, after);
      assertThat(after.threadCount()).isLessThan(before.threadCount() + MARGIN_THREADS);
      assertThat(log.messages(Level.WARN)).allMatch(line -> line.contains("is silent for"));
      assertThat(log.messages(Level.INFO)).noneMatch(line -> line.contains("; nor can"));
      assertNoFallback(cluster);
      assertThat(cluster.counters().calls).hasValue(descents.get());
      assertThat(cluster.counters().passedThrough).hasValue(0);
      assertThat(cluster.counters().residentRounds).hasPositiveValue();
      assertThat(cluster.evaluations().calls.get()).isBetween(completedFits.get(), fits.get());
      assertThat(cluster.evaluations().passedThrough).hasValue(0);
      assertThat(CompletableFuture.supplyAsync(() -> tasksAtOnce(spark)))
          .as("a job that needs all slots at the same time")
          .succeedsWithin(Duration.ofMinutes(1))
          .isEqualTo((long) SLOTS);
    } finally {
      sessions.shutdownNow();
      timer.shutdownNow();
    }
  }

  private static void trainAll(List<Session> all, int trainings, ExecutorService threads) {
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (Session session : all) {
      running.add(CompletableFuture.runAsync(() -> session.train(trainings), threads));
    }
    CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
  }

  private static void assertNoFallback(TestCluster cluster) {
    assertThat(cluster.counters().fallbacks).hasValue(0);
    assertThat(cluster.evaluations().fallbacks).hasValue(0);
  }

  /** Runs a task in every slot, each until all run. */
  private static long tasksAtOnce(JavaSparkContext spark) {
    Function1<Iterator<Integer>, Iterator<Integer>> meet =
        (Function1<Iterator<Integer>, Iterator<Integer>> & Serializable)
            rows -> {
              BarrierTaskContext.get().barrier();
              return rows;
            };
    return spark
        .parallelize(IntStream.range(0, SLOTS).boxed().toList(), SLOTS)
        .rdd()
        .barrier()
        .mapPartitions(
            meet, /* preservesPartitioning= */ false, ClassTag$.MODULE$.apply(Integer.class))
        .count();
  }

  /** A user of the server; each of the trainings has a job group. */
  private final class Session {
    private final int number;
    private final TestCluster cluster;
    private final JavaSparkContext spark;
    private final ScheduledExecutorService timer;
    private final SparkSession session;
    private final Random random;
    private int trainings;

    Session(int number, TestCluster cluster, ScheduledExecutorService timer) {
      this.number = number;
      this.cluster = cluster;
      this.spark = cluster.context();
      this.timer = timer;
      this.session = SparkSession.builder().sparkContext(spark.sc()).getOrCreate().newSession();
      this.random = new Random(SEED * SESSIONS + number);
      random.nextInt(); // the first values of neighbours are alike
    }

    private boolean isOn() {
      return Switch.of(number) == Switch.ON;
    }

    void train(int count) {
      SparkSession.setActiveSession(session);
      switch (Switch.of(number)) {
        case ON -> {}
        case OFF_BY_SESSION -> session.conf().set("spark.ata.enabled", "false");
        case OFF_BY_LOCAL_PROPERTY -> spark.setLocalProperty("spark.ata.enabled", "false");
      }
      try {
        for (int i = 0; i < count; i++) {
          train("session " + number + ", training " + trainings++, Order.of(random));
        }
      } finally { // the thread is a pool's
        spark.setLocalProperty("spark.ata.enabled", null);
        spark.clearJobGroup();
        SparkSession.clearActiveSession();
      }
    }

    private void train(String group, Order order) {
      spark.setJobGroup(group, group, order.interrupts());
      if (order.isCancelled()) {
        trainUntilCancelled(group, order);
        cancelled.incrementAndGet();
      } else {
        long start = System.nanoTime();
        train(order.work());
        millis.put(order.work(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        completed.incrementAndGet();
      }
      if (!isOn()) {
        switchedOff.incrementAndGet();
      }
    }

    /** One cancellation for each attempt: another one would hide that work started again. */
    private void trainUntilCancelled(String group, Order order) {
      Random random = new Random(order.seed());
      random.nextInt(); // the first values of neighbours are alike
      Throwable thrown =
          catchThrowable(
              () -> {
                while (true) {
                  trainAndCancel(group, order.work(), random.nextDouble());
                }
              });
      assertThat(thrown)
          .isInstanceOf(SparkException.class)
          .hasMessageContaining("cancelled job group " + group);
    }

    /** The cancellation may come between two jobs, or too late: the training is then untouched. */
    private void trainAndCancel(String group, Work work, double delay) {
      long afterMillis = (long) (delay * millis.getOrDefault(work, FIRST_MILLIS));
      ScheduledFuture<?> cancelling =
          timer.schedule(() -> spark.cancelJobGroup(group), afterMillis, TimeUnit.MILLISECONDS);
      try {
        train(work);
      } finally {
        cancelling.cancel(/* mayInterruptIfRunning= */ false);
      }
    }

    private void train(Work work) {
      boolean isOn = isOn();
      if (isOn) {
        (work.isDescent() ? descents : fits).incrementAndGet();
      }
      work.train(spark).assertSame(stock.get(work));
      assertNoFallback(cluster);
      if (isOn && !work.isDescent()) {
        completedFits.incrementAndGet();
      }
    }
  }
}
