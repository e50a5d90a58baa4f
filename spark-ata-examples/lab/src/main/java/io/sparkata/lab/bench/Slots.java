package io.sparkata.lab.bench;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Executor;
import io.sparkata.lab.ReadyExecutors;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;

/** The number of slots of each executor. */
final class Slots {
  private Slots() {}

  /** Waits for all executors, and returns their slots by id. */
  static Map<String, Integer> await(JavaSparkContext context) throws InterruptedException {
    AtaRuntime runtime = AtaRuntime.of(context.sc()).orElseThrow(Bench::isOff);
    Map<String, Integer> slots = new TreeMap<>();
    for (Executor executor : ReadyExecutors.await(context, runtime)) {
      slots.put(executor.id(), executor.slots());
    }
    return slots;
  }
}
