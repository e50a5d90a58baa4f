package io.sparkata.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.scheduler.cluster.StandaloneSchedulerBackend;

/** Another application on a context's standalone master: waits for slots, and has them for 2 s. */
final class SecondApplication {
  private static final int TASKS = 4;

  private SecondApplication() {}

  /** In a JVM of its own, whose system properties are the settings. */
  public static void main(String[] arguments) {
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
      spark
          .parallelize(List.of(1, 2, 3, 4), TASKS)
          .foreach(number -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1)));
    }
  }

  /** Starts it. Without a slot it fails after five minutes, also if this JVM has ended. */
  static Process start(JavaSparkContext context) {
    List<String> command = new ArrayList<>(List.of("timeout", "300"));
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().trim().split(" ", -1)));
    command.addAll(SparkArchive.jvmOptions());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dspark.master=" + master(context).orElseThrow());
    command.add("-Dspark.app.name=second");
    command.add("-Dspark.ui.enabled=false");
    command.add("-Dspark.cores.max=2");
    command.add("-Dspark.executor.memory=512m");
    for (String key :
        List.of(
            "spark.executor.extraClassPath",
            "spark.executor.extraJavaOptions",
            "spark.executorEnv.SPARK_SCALA_VERSION")) {
      command.add("-D" + key + "=" + context.getConf().get(key));
    }
    command.addAll(List.of("-cp", SparkArchive.classPath(), SecondApplication.class.getName()));
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(Path.of("target", "second-application.log").toFile())
          .start();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** The address of the standalone master; local-cluster has one, too. Empty elsewhere. */
  static Optional<String> master(JavaSparkContext context) {
    SchedulerBackend backend = context.sc().schedulerBackend();
    if (!(backend instanceof StandaloneSchedulerBackend)) {
      return Optional.empty();
    }
    try {
      Field masters = StandaloneSchedulerBackend.class.getDeclaredField("masters");
      masters.setAccessible(true);
      return Optional.of(String.join(",", (String[]) masters.get(backend)));
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException(error);
    }
  }
}
