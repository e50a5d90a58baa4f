package io.sparkata.lab;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Executor;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;

/** Waits for all executors of the application. */
public final class ReadyExecutors {
  private static final long WAIT_NANOS = 120_000_000_000L;
  private static final long POLL_MILLIS = 200;

  private ReadyExecutors() {}

  /**
   * Waits for {@code spark.cores.max} slots. Spark itself waits only for executors to register, and
   * their block managers register a moment later.
   */
  public static List<Executor> await(JavaSparkContext context, AtaRuntime runtime)
      throws InterruptedException {
    int wanted = context.getConf().getInt("spark.cores.max", 0);
    long deadline = System.nanoTime() + WAIT_NANOS;
    while (true) {
      List<Executor> executors = runtime.cluster().live();
      int slots = executors.stream().mapToInt(Executor::slots).sum();
      if (wanted > 0 && slots == wanted) {
        return executors;
      }
      if (System.nanoTime() > deadline) {
        throw new RunFailure(
            "Cannot get all executors: "
                + slots
                + " slots came. Set spark.cores.max to as many as the cluster has.");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }
}
