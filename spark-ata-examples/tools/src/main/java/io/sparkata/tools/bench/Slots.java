package io.sparkata.tools.bench;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Executor;
import io.sparkata.tools.ReadyExecutors;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;

/** The slots of all executors, by id. */
final class Slots {
  private Slots() {}

  /** Waits for all executors. */
  static Map<String, Integer> await(JavaSparkContext context) throws InterruptedException {
    AtaRuntime runtime = AtaRuntime.of(context.sc()).orElseThrow(Bench::isOff);
    Map<String, Integer> slots = new TreeMap<>();
    for (Executor executor : ReadyExecutors.await(context, runtime)) {
      slots.put(executor.id(), executor.slots());
    }
    return slots;
  }
}
