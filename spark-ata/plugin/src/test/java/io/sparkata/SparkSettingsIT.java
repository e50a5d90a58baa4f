package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import io.sparkata.cluster.Executor;
import io.sparkata.spark.ExecutorInternals;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.FailingPolicy;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.Processes;
import io.sparkata.testing.TestCluster;
import io.sparkata.testing.TestData;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/**
 * What clusters that are not ours have set. Blocks of every layout, results and messages go Spark's
 * own ways, so that its settings hold for them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SparkSettingsIT {
  private static final int ROWS = 1500;
  private static final int FEATURES = 20;
  private static final int ITERATIONS = 10;
  private static final int LONG = 200;
  private static final int LONGEST = 100_000;

  /** Without which MLlib's own tasks cannot give back their sums. */
  private static final String MLLIBS_OWN = "breeze.linalg.DenseVector$mcD$sp";

  /** In an executor: the files of the tasks that wait there. */
  private static final Set<String> HELD = ConcurrentHashMap.newKeySet();

  private final Map<String, List<Tuple2<Object, Vector>>> rowsByLayout =
      Map.of("dense", dense(), "sparse", sparse(), "sparse coded", coded(), "mixed", mixed());
  private final Map<String, Tuple2<Vector, double[]>> stock = new HashMap<>();

  @BeforeAll
  void trainByMllib() {
    Mllib.withStock(
        spark ->
            rowsByLayout.forEach(
                (layout, rows) -> stock.put(layout, training(spark, rows).trainByMllib())));
  }

  @Test
  void train_encryptedCompressedInSmallPiecesByKryoThatMustKnowAllClasses_givesMllibsWeights() {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.authenticate", "true");
    settings.put("spark.authenticate.secret", "a secret of this test");
    settings.put("spark.network.crypto.enabled", "true");
    settings.put("spark.io.encryption.enabled", "true");
    settings.put("spark.rdd.compress", "true");
    settings.put("spark.task.maxDirectResultSize", "100");
    settings.put("spark.broadcast.blockSize", "1k");
    settings.put("spark.memory.offHeap.enabled", "true");
    settings.put("spark.memory.offHeap.size", "64m");
    settings.put("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    settings.put("spark.kryo.registrationRequired", "true");
    settings.put("spark.kryo.classesToRegister", MLLIBS_OWN);
    settings.put("spark.kryo.registrator", AtaKryoRegistrator.class.getName());
    settings.put("spark.ata.onError", "fallback");
    try (TestCluster cluster = start(settings)) {
      check(cluster);

      Mllib training = training(cluster.context(), rowsByLayout.get("dense"));
      String failing = FailingPolicy.class.getName();
      Mllib.assertSame(training.trainBySparkAta(failing), stock.get("dense"));
      assertThat(cluster.counters().fallbacks).hasValue(1);
    }
  }

  /** Each alone; the test above has them together. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark.authenticate=true",
        "spark.authenticate=true spark.network.crypto.enabled=true",
        "spark.authenticate=true spark.authenticate.enableSaslEncryption=true",
        "spark.io.encryption.enabled=true"
      })
  @Tag("nightly")
  void train_securedAndByMessage_givesMllibsWeights(String secured) {
    Map<String, String> settings = new HashMap<>();
    for (String setting : secured.split(" ", -1)) {
      settings.put(setting.split("=", 2)[0], setting.split("=", 2)[1]);
    }
    settings.put("spark.authenticate.secret", "a secret of this test");
    settings.put("spark.ata.execution", "resident");
    try (TestCluster cluster = start(settings)) {
      check(cluster);

      assertThat(cluster.counters().residentRounds.get()).as("rounds by message").isPositive();
    }
  }

  @Test
  void train_kryoThatDoesNotKnowOurClasses_isLeftToMllibWithOneWarning() {
    try (JavaSparkContext spark = startLocallyWithKryoThatDoesNotKnowUs("fallback");
        CapturedLog log = CapturedLog.of("io.sparkata")) {
      Mllib training = training(spark, rowsByLayout.get("dense"));

      Mllib.assertSame(training.trainBySparkAta(null), stock.get("dense"));
      Mllib.assertSame(training.trainBySparkAta(null), stock.get("dense"));

      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: spark.kryo.registrationRequired=true, and spark.kryo.registrator does"
                  + " not name io.sparkata.AtaKryoRegistrator; trainings are left to Spark. Add it"
                  + " there");
      Counters counters = AtaRuntime.of(spark.sc()).orElseThrow().counters();
      assertThat(counters.passedThrough).hasValue(2);
      assertThat(counters.rounds).hasValue(0);
    }
  }

  @Test
  void train_kryoThatDoesNotKnowOurClassesAndErrorsAreThrown_saysWhatToSet() {
    try (JavaSparkContext spark = startLocallyWithKryoThatDoesNotKnowUs("fail")) {
      Mllib training = training(spark, rowsByLayout.get("dense"));

      assertThatThrownBy(() -> training.trainBySparkAta(null))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "Spark ATA cannot work: spark.kryo.registrationRequired=true, and"
                  + " spark.kryo.registrator does not name io.sparkata.AtaKryoRegistrator. Add it"
                  + " there");
    }
  }

  /** Known on the driver before any executor is asked. */
  private static JavaSparkContext startLocallyWithKryoThatDoesNotKnowUs(String onError) {
    return new JavaSparkContext(
        new SparkConf()
            .setMaster("local[1]")
            .setAppName("spark-ata-test")
            .set("spark.ui.enabled", "false")
            .set("spark.plugins", "io.sparkata.AtaPlugin")
            .set("spark.ata.enabled", "true")
            .set("spark.ata.passThrough", "never")
            .set("spark.ata.onError", onError)
            .set("spark.ata.report", "off")
            .set("spark.ata.route", "none")
            .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .set("spark.kryo.registrationRequired", "true")
            .set("spark.kryo.classesToRegister", MLLIBS_OWN));
  }

  /** Spark's driver keeps count of each executor's blocks, and lets those go that have none. */
  @Test
  @Tag("nightly") // ResidentClusterIT has it with rounds by message
  void train_dynamicAllocation_givesMllibsWeightsReplacesTheLostAndLetsExecutorsGo() {
    Map<String, String> settings =
        Map.of(
            "spark.dynamicAllocation.enabled", "true",
            "spark.dynamicAllocation.shuffleTracking.enabled", "true",
            "spark.dynamicAllocation.initialExecutors", "3",
            "spark.dynamicAllocation.minExecutors", "1",
            "spark.dynamicAllocation.executorIdleTimeout", "3s");
    try (TestCluster cluster = start(settings)) {
      Mllib one = training(cluster.context(), rowsByLayout.get("dense"));
      Mllib.assertSame(one.trainBySparkAta(null), stock.get("dense"));
      Mllib.assertSame(one.trainBySparkAta(null), stock.get("dense"));

      Mllib training = training(cluster.context(), rowsByLayout.get("dense"), LONGEST);
      long killed = Processes.ofExecutors(cluster.context()).get(0);
      long before = cluster.counters().rounds.get();
      CompletableFuture<Tuple2<Vector, double[]>> result =
          CompletableFuture.supplyAsync(() -> training.trainBySparkAta(null));
      await(() -> cluster.counters().rounds.get() >= before + ITERATIONS);
      Processes.kill9(killed);
      cluster.awaitExecutors(TestCluster.EXECUTORS - 1);
      cluster.awaitExecutors(TestCluster.EXECUTORS);
      assertThat(result).as("while no task waits for a slot").isNotDone();
      await(
          () -> {
            cluster.context().cancelAllJobs(); // there is none between two rounds
            return result.isDone();
          });

      cluster.awaitExecutors(1);
    }
  }

  /** As a spot machine goes: Spark gives it no more tasks, while its blocks move elsewhere. */
  @Test
  @Tag("nightly") // ResidentClusterIT has it with rounds by message
  void train_executorDecommissioned_isNoLongerWaitedFor() throws IOException {
    Map<String, String> settings =
        Map.of(
            "spark.decommission.enabled", "true",
            "spark.storage.decommission.enabled", "true",
            "spark.storage.decommission.rddBlocks.enabled", "true");
    Tuple2<Vector, double[]> stockLong =
        Mllib.stock(spark -> training(spark, rowsByLayout.get("dense"), LONG).trainByMllib());
    try (TestCluster cluster = start(settings)) {
      long executor = Processes.ofExecutors(cluster.context()).get(0);
      Mllib training = training(cluster.context(), rowsByLayout.get("dense"), LONG);
      CompletableFuture<Tuple2<Vector, double[]>> result =
          CompletableFuture.supplyAsync(() -> training.trainBySparkAta(null));
      await(() -> cluster.counters().rounds.get() >= ITERATIONS);

      Processes.decommission(executor);
      await(
          () ->
              cluster.runtime().cluster().workers(Duration.ZERO).size()
                  == TestCluster.EXECUTORS - 1);
      assertThat(cluster.runtime().cluster().live()).as("it still has its blocks").hasSize(3);
      assertThat(result).as("decommissioned in mid-run").isNotDone();

      Mllib.assertSame(result.join(), stockLong);
      assertThat(cluster.counters().fallbacks).hasValue(0);
    }
  }

  /**
   * Slots are taken as by the receiver of a stream, or by a long job besides ours. Spark gives no
   * task for an hour to an executor on which tasks have failed; the executor stays, with its
   * blocks.
   */
  @Test
  @Tag("nightly")
  void train_slotsTakenOrExecutorExcluded_arePlannedWithoutAndNotWaitedFor(@TempDir Path folder)
      throws IOException {
    Map<String, String> settings =
        Map.of(
            "spark.master", "local-cluster[" + TestCluster.EXECUTORS + ",2,1024]",
            "spark.excludeOnFailure.enabled", "true",
            "spark.excludeOnFailure.application.maxFailedTasksPerExecutor", "1",
            "spark.excludeOnFailure.application.maxFailedExecutorsPerNode", "3");
    try (TestCluster cluster = start(settings)) {
      Mllib training = training(cluster.context(), rowsByLayout.get("dense"));
      assertThat(slots(cluster)).isEqualTo(Map.of("0", 2, "1", 2, "2", 2));

      Path first = Files.createFile(folder.resolve("first"));
      CompletableFuture<Void> holdsOne = holdOneSlot(cluster, "1", first);
      await(() -> slots(cluster).equals(Map.of("0", 2, "1", 1, "2", 2)));
      Mllib.assertSame(training.trainBySparkAta(null), stock.get("dense"));

      Path second = Files.createFile(folder.resolve("second"));
      CompletableFuture<Void> holdsTheOther = holdOneSlot(cluster, "1", second);
      await(() -> slots(cluster).equals(Map.of("0", 2, "2", 2)));
      Mllib.assertSame(training.trainBySparkAta(null), stock.get("dense"));
      assertThat(holdsOne).as("the task that was not waited for").isNotDone();
      assertThat(holdsTheOther).isNotDone();

      Files.delete(first);
      Files.delete(second);
      holdsOne.join();
      holdsTheOther.join();
      await(() -> slots(cluster).equals(Map.of("0", 2, "1", 2, "2", 2)));

      cluster
          .context()
          .parallelize(IntStream.range(0, 30).boxed().toList(), 30)
          .foreach(task -> failOnExecutor("1"));
      await(() -> slots(cluster).equals(Map.of("0", 2, "2", 2)));
      assertThat(cluster.runtime().cluster().live()).as("it is still there").hasSize(3);
      assertThat(cluster.runtime().cluster().excluded())
          .as("no cached partition moves to it")
          .containsExactly("1");
      Mllib.assertSame(training.trainBySparkAta(null), stock.get("dense"));
      assertThat(cluster.counters().fallbacks).hasValue(0);
    }
  }

  private static Map<String, Integer> slots(TestCluster cluster) {
    return cluster.runtime().cluster().workers(Duration.ZERO).stream()
        .collect(Collectors.toMap(Executor::id, Executor::slots));
  }

  /** Until {@code file} is gone; in other executors' tasks it returns at once. */
  private static CompletableFuture<Void> holdOneSlot(
      TestCluster cluster, String executor, Path file) {
    String path = file.toString();
    int slots = 2 * TestCluster.EXECUTORS;
    return CompletableFuture.runAsync(
        () ->
            cluster
                .context()
                .parallelize(IntStream.range(0, slots).boxed().toList(), slots)
                .foreach(task -> holdSlot(executor, path)));
  }

  private static void holdSlot(String executor, String path) {
    boolean isFirst = HELD.add(path);
    while (isFirst && ExecutorInternals.executorId().equals(executor) && new File(path).exists()) {
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  private static void failOnExecutor(String id) {
    if (ExecutorInternals.executorId().equals(id)) {
      throw new IllegalStateException("as a task fails on a machine with a broken disk");
    }
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(5))
        .until(condition);
  }

  private static TestCluster start(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("spark.ata.blockSize", "16k");
    return TestCluster.start(all);
  }

  /** Under a policy that moves blocks all the time. */
  private void check(TestCluster cluster) {
    Leftovers leftovers = Leftovers.watch(cluster.context());
    rowsByLayout.forEach(
        (layout, rows) -> {
          long before = cluster.counters().fetchedBlocks.get();

          Mllib training = training(cluster.context(), rows);
          Mllib.assertSame(training.trainBySparkAta(null), stock.get(layout));

          assertThat(cluster.counters().fetchedBlocks.get()).as(layout).isGreaterThan(before);
        });
    assertThat(cluster.counters().rounds).hasValue(rowsByLayout.size() * (ITERATIONS + 1L));
    assertThat(cluster.counters().observations.get()).isPositive();
    leftovers.assertNone(/* modelBytes= */ Long.MAX_VALUE);
  }

  private static Mllib training(JavaSparkContext spark, List<Tuple2<Object, Vector>> rows) {
    return training(spark, rows, ITERATIONS);
  }

  private static Mllib training(
      JavaSparkContext spark, List<Tuple2<Object, Vector>> rows, int iterations) {
    return new Mllib(
        spark.parallelize(rows, 4).rdd(), new LogisticGradient(), 0.3, iterations, FEATURES);
  }

  private static List<Tuple2<Object, Vector>> dense() {
    return TestData.rows(ROWS, FEATURES, /* sparse= */ false, 1);
  }

  private static List<Tuple2<Object, Vector>> sparse() {
    return TestData.rows(ROWS, FEATURES, /* sparse= */ true, 2);
  }

  private static List<Tuple2<Object, Vector>> coded() {
    return sparse().stream().map(row -> new Tuple2<>(row._1(), ones(row._2()))).toList();
  }

  private static Vector ones(Vector row) {
    SparseVector sparse = (SparseVector) row;
    double[] ones = new double[sparse.indices().length];
    Arrays.fill(ones, 1);
    return Vectors.sparse(FEATURES, sparse.indices(), ones);
  }

  private static List<Tuple2<Object, Vector>> mixed() {
    List<Tuple2<Object, Vector>> rows = new ArrayList<>();
    List<Tuple2<Object, Vector>> dense = dense();
    List<Tuple2<Object, Vector>> sparse = sparse();
    IntStream.range(0, ROWS).forEach(i -> rows.add((i % 2 == 0 ? dense : sparse).get(i)));
    return rows;
  }
}
