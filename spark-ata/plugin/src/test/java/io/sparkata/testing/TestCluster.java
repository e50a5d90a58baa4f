package io.sparkata.testing;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Counters;
import io.sparkata.cluster.Executor;
import java.time.Duration;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.awaitility.Awaitility;

/** Executors that are JVMs of their own, on this machine, with the plugin on. */
public final class TestCluster implements AutoCloseable {
  /** How many executors a cluster has. */
  public static final int EXECUTORS = 3;

  /** Short-lived JVMs on few cores: they start in half the time without the second compiler. */
  private static final String EXECUTOR_JVM =
      "--add-modules=jdk.incubator.vector -XX:+UseSerialGC -XX:TieredStopAtLevel=1";

  private final JavaSparkContext context;

  private TestCluster(SparkConf conf) {
    context = new JavaSparkContext(conf);
    awaitExecutors(EXECUTORS);
  }

  /** Three executors of one core; trouble fails the training; {@code settings} override. */
  public static TestCluster start(Map<String, String> settings) {
    SparkConf conf =
        new SparkConf()
            .setMaster("local-cluster[" + EXECUTORS + ",1,1024]")
            .setAppName("spark-ata-test")
            .set("spark.ui.enabled", "false")
            .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .set("spark.executorEnv.SPARK_SCALA_VERSION", System.getProperty("ata.scalaVersion"))
            .set("spark.executor.extraJavaOptions", EXECUTOR_JVM)
            .set("spark.plugins", "io.sparkata.AtaPlugin")
            .set("spark.ata.enabled", "true")
            .set("spark.ata.policy", ScatterPolicy.class.getName())
            .set("spark.ata.passThrough", "never")
            .set("spark.ata.onError", "fail")
            .set("spark.ata.mllib.route", "false"); // so that trainByMllib is MLlib
    settings.forEach(conf::set);
    return new TestCluster(conf);
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

  /** Waits until so many executors live. */
  public void awaitExecutors(int count) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () ->
                AtaRuntime.of(context.sc()).isEmpty()
                    || runtime().cluster().live().stream().map(Executor::id).distinct().count()
                        == count);
  }

  @Override
  public void close() {
    context.close();
  }
}
