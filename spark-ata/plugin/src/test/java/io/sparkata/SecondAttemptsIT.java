package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.SparkExecutors;
import io.sparkata.testing.Descent;
import io.sparkata.testing.PlainSpark;
import io.sparkata.testing.Processes;
import io.sparkata.testing.TestCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.feature.StandardScaler;
import org.apache.spark.ml.feature.StandardScalerModel;
import org.apache.spark.ml.functions;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.stat.Statistics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An executor that does not go on, on a host of its own, has its tasks done by another one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecondAttemptsIT {
  private static final String SLOW = "1";
  private static final String USERS = "users";
  private static final int ROWS = 100;

  @TempDir static Path folder;

  /** Second attempts since the test began. */
  private final Queue<SparkListenerTaskStart> second = new ConcurrentLinkedQueue<>();

  private final Set<Integer> usersStages = ConcurrentHashMap.newKeySet();

  private double[] stock;
  private PlainSpark spark;
  private TestCluster cluster;

  @BeforeAll
  void start() throws Exception {
    stock = Descent.stock().get(Descent.LOGISTIC);
    spark = new PlainSpark(folder);
    cluster =
        TestCluster.start(
            Map.of(
                "spark.master", spark.startCluster(2),
                "spark.executor.instances", "2",
                "spark.executor.cores", "2",
                "spark.cores.max", "4",
                "spark.ata.route", "gradientDescent,lbfgs"));
    cluster
        .context()
        .sc()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onStageSubmitted(SparkListenerStageSubmitted event) {
                String group = event.properties().getProperty("spark.jobGroup.id", "");
                if (group.equals(USERS)) {
                  usersStages.add(event.stageInfo().stageId());
                }
              }

              @Override
              public void onTaskStart(SparkListenerTaskStart event) {
                if (event.taskInfo().speculative()) {
                  second.add(event);
                }
              }
            });
  }

  /** An executor that goes on first ends the tasks that others have done meanwhile. */
  @BeforeEach
  void awaitFreeSlots() {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                SparkExecutors.runningTasks(cluster.context().sc()).values().stream()
                    .allMatch(tasks -> tasks == 0));
    second.clear();
  }

  private void awaitTasksOfSlowOnly() {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              Map<String, Integer> running = SparkExecutors.runningTasks(cluster.context().sc());
              return running.getOrDefault(SLOW, 0) == 1
                  && running.values().stream().mapToInt(Integer::intValue).sum() == 1;
            });
  }

  @AfterAll
  void stop() throws Exception {
    cluster.close();
    spark.close();
  }

  @Test
  void passOfMllib_executorThatStops_isDoneByTheOther() throws Exception {
    JavaRDD<Vector> rows = rows();
    long stopped = Processes.ofExecutor(cluster.context(), SLOW);
    Processes.stop(stopped);
    try {
      CompletableFuture<Long> users = cluster.startInGroup(USERS, rows::count);
      awaitTasksOfSlowOnly(); // else both tasks of the next job may start on the other executor
      CompletableFuture<Vector> mean =
          CompletableFuture.supplyAsync(() -> Statistics.colStats(rows.rdd()).mean());
      assertThat(mean.get(2, TimeUnit.MINUTES)).isEqualTo(Vectors.dense((ROWS - 1) / 2.0));
      assertThat(second).isNotEmpty().noneMatch(task -> task.taskInfo().executorId().equals(SLOW));
      Statistics.colStats(rows.rdd()); // longer than a task of the user's need be slow
      assertThat(usersStages).as("of the user's").isNotEmpty();
      assertThat(second).noneMatch(task -> usersStages.contains(task.stageId()));
      Processes.goOn(stopped);
      assertThat(users.get(2, TimeUnit.MINUTES)).isEqualTo(ROWS);
    } finally {
      Processes.goOn(stopped);
    }
  }

  /** Spark 4 submits one of its stages on a thread of its own. */
  @Test
  @Tag("spark")
  void queryOfMllib_executorThatStops_isDoneByTheOther() throws Exception {
    SparkSession session =
        SparkSession.builder().sparkContext(cluster.context().sc()).getOrCreate();
    Dataset<Row> rows = session.range(0, ROWS, 1, 4).selectExpr("array(double(id)) AS values");
    Dataset<Row> vectors =
        rows.select(functions.array_to_vector(rows.col("values")).as("features"));
    long stopped = Processes.ofExecutor(cluster.context(), SLOW);
    Processes.stop(stopped);
    try {
      CompletableFuture<StandardScalerModel> fit =
          CompletableFuture.supplyAsync(
              () -> new StandardScaler().setInputCol("features").setWithMean(true).fit(vectors));
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !second.isEmpty());
      Processes.goOn(stopped); // the last stage has one task, which may be there
      assertThat(fit.get(2, TimeUnit.MINUTES).mean().apply(0)).isEqualTo((ROWS - 1) / 2.0);
    } finally {
      Processes.goOn(stopped);
    }
  }

  /**
   * Its executor computes it and does not end, so the other one fetches its batches: also where the
   * stage caches a part of them, as the first stage over a fold of a cross validation does.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("spark")
  void passOverACachedDataFrame_taskThatDoesNotEnd_isDoneByTheOther(boolean isFold)
      throws Exception {
    SparkSession session =
        SparkSession.builder().sparkContext(cluster.context().sc()).getOrCreate();
    Dataset<Row> cached = session.range(0, ROWS, 1, 4).toDF("id").cache();
    assertThat(cached.count()).isEqualTo(ROWS);
    UDF1<Long, org.apache.spark.ml.linalg.Vector> never =
        id -> {
          if (SparkEnv.get().executorId().equals(SLOW) && TaskContext.get().attemptNumber() == 0) {
            new CountDownLatch(1).await(); // until Spark interrupts it
          }
          return org.apache.spark.ml.linalg.Vectors.dense(id);
        };
    Column features =
        org.apache
            .spark
            .sql
            .functions
            .udf(never, SQLDataTypes.VectorType())
            .apply(org.apache.spark.sql.functions.col("id"));
    Dataset<Row> data =
        isFold ? session.createDataFrame(cached.toJavaRDD(), cached.schema()).cache() : cached;
    Dataset<Row> vectors = data.select(features.as("features"));

    CompletableFuture<StandardScalerModel> fit =
        CompletableFuture.supplyAsync(
            () -> new StandardScaler().setInputCol("features").setWithMean(true).fit(vectors));
    assertThat(fit.get(2, TimeUnit.MINUTES).mean().apply(0)).isEqualTo((ROWS - 1) / 2.0);
    assertThat(second).isNotEmpty().noneMatch(task -> task.taskInfo().executorId().equals(SLOW));
    data.unpersist(/* blocking= */ true);
    cached.unpersist(/* blocking= */ true);
  }

  /** The rounds that follow have ways of their own to go on without it. */
  @Test
  void packing_executorThatStops_isDoneByTheOtherWithStocksModel() throws Exception {
    long stopped = Processes.ofExecutor(cluster.context(), SLOW);
    Processes.stop(stopped);
    try {
      CompletableFuture<double[]> weights =
          CompletableFuture.supplyAsync(() -> Descent.LOGISTIC.train(cluster.context()));
      assertThat(weights.get(2, TimeUnit.MINUTES))
          .usingComparatorWithPrecision(1e-9)
          .containsExactly(stock);
      assertThat(second).isNotEmpty().noneMatch(task -> task.taskInfo().executorId().equals(SLOW));
      assertThat(cluster.counters().routed).hasValue(1);
    } finally {
      Processes.goOn(stopped);
    }
  }

  private JavaRDD<Vector> rows() {
    return cluster
        .context()
        .parallelize(IntStream.range(0, ROWS).boxed().toList(), 2)
        .map(i -> Vectors.dense(i));
  }
}
