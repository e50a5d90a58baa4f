package io.sparkata.testing;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import io.sparkata.cluster.Executor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.awaitility.Awaitility;

/** Executors that are JVMs of their own, on this machine, with the plugin on. */
public final class TestCluster implements AutoCloseable {
  /** How many executors a cluster has. */
  public static final int EXECUTORS = 3;

  /** Short-lived JVMs on few cores: they start in half the time without the second compiler. */
  private static final String EXECUTOR_JVM =
      "--add-modules=jdk.incubator.vector -XX:+UseSerialGC -XX:TieredStopAtLevel=1";

  private static Optional<TestCluster> shared = Optional.empty();
  private static Path sharedRoundLogs;
  private static int starts;

  private final JavaSparkContext context;

  private TestCluster(SparkConf conf) {
    context = new JavaSparkContext(conf);
    awaitExecutors(conf.getInt("spark.executor.instances", EXECUTORS));
  }

  /**
   * The cluster of test classes that need nothing of their own: started when first asked for, and
   * closed when a cluster of other settings, or a context without the plugin, is started. Not to be
   * closed by the caller. Each training writes a round log, {@link #sharedRoundLogs}.
   */
  public static synchronized TestCluster shared() {
    if (shared.isEmpty()) {
      try {
        sharedRoundLogs = Files.createTempDirectory("spark-ata-rounds");
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
      String rounds = sharedRoundLogs.toUri().toString();
      shared =
          Optional.of(
              start(Map.of("spark.ata.blockSize", "16k", "spark.ata.roundLog.path", rounds)));
    }
    return shared.get();
  }

  /** The folder of the shared cluster's round logs. */
  public static Path sharedRoundLogs() {
    return sharedRoundLogs;
  }

  /** One JVM holds one context. */
  static synchronized void closeShared() {
    shared.ifPresent(TestCluster::close);
    shared = Optional.empty();
  }

  /**
   * Three executors of one core; a failure of Spark ATA fails the training; {@code settings}
   * override.
   */
  public static TestCluster start(Map<String, String> settings) {
    closeShared();
    if (++starts == 2) { // where there are two there are more: it pays
      SparkArchive.write();
    }
    SparkConf conf =
        new SparkConf()
            .setMaster("local-cluster[" + EXECUTORS + ",1,1024]")
            .setAppName("spark-ata-test")
            .set("spark.ui.enabled", "false")
            .set("spark.executor.extraClassPath", SparkArchive.classPath())
            .set("spark.executorEnv.SPARK_SCALA_VERSION", System.getProperty("ata.scalaVersion"))
            .set(
                "spark.executor.extraJavaOptions",
                EXECUTOR_JVM + " " + String.join(" ", SparkArchive.jvmOptions()))
            .set("spark.plugins", "io.sparkata.AtaPlugin")
            .set("spark.ata.enabled", "true")
            .set("spark.ata.policy", ScatterPolicy.class.getName())
            .set("spark.ata.passThrough", "never")
            .set("spark.ata.onError", "fail")
            .set("spark.ata.execution", System.getProperty("ata.execution", "auto"))
            .set("spark.ata.report", "off") // so that tests can assert that nothing warns
            .set("spark.ata.route", "none"); // so that trainByMllib is MLlib
    settings.forEach(conf::set);
    return new TestCluster(conf);
  }

  /** The same with two slots each, and with even shares in rounds by message. */
  public static TestCluster startResident(Map<String, String> settings) {
    Map<String, String> all =
        new HashMap<>(
            Map.of(
                "spark.master", "local-cluster[" + EXECUTORS + ",2,1024]",
                "spark.ata.execution", "resident",
                "spark.ata.policy", "uniform",
                "spark.ata.blockSize", "16k"));
    all.putAll(settings);
    return start(all);
  }

  public JavaSparkContext context() {
    return context;
  }

  public AtaRuntime runtime() {
    return AtaRuntime.of(context.sc()).orElseThrow();
  }

  public Counters counters() {
    return runtime().counters();
  }

  /** What happened to sums of Spark's optimizers. */
  public Counters evaluations() {
    return runtime().evaluations();
  }

  /**
   * Waits until so many executors live and are not about to leave. Spark's master also keeps the
   * block manager of an executor that was killed while it registered.
   */
  public void awaitExecutors(int count) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () ->
                AtaRuntime.of(context.sc()).isEmpty()
                    || runtime().cluster().staying().stream().map(Executor::id).distinct().count()
                        == count);
  }

  /** Waits until there have been so many rounds by message of gradient descent. */
  public void awaitResidentRounds(long rounds) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> counters().residentRounds.get() >= rounds);
  }

  /** Starts work whose jobs have a job group, on a thread of its own. */
  public <T> CompletableFuture<T> startInGroup(String group, Supplier<T> work) {
    return CompletableFuture.supplyAsync(
        () -> {
          context.setJobGroup(group, "work of a test");
          try {
            return work.get();
          } finally { // the thread is a pool's
            context.clearJobGroup();
          }
        });
  }

  @Override
  public void close() {
    context.close();
    forgetSessions();
  }

  /** The next context needs a session of its own. */
  static void forgetSessions() {
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
  }
}
