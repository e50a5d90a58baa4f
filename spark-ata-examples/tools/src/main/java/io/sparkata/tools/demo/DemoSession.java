package io.sparkata.tools.demo;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Executor;
import io.sparkata.tools.Progress;
import io.sparkata.tools.ReadyExecutors;
import io.sparkata.tools.RunFailure;
import io.sparkata.tools.TaskTimes;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** The demo's SparkContext with all executors, and what counts the work of their tasks. */
record DemoSession(
    JavaSparkContext context,
    AtaRuntime runtime,
    UnevenExecutors executors,
    Map<String, Integer> slots,
    TaskTimes tasks)
    implements AutoCloseable {

  /**
   * Starts the context and waits for all executors.
   *
   * @param cpuShares of the executors, in the order of their hosts
   */
  static DemoSession start(List<Double> cpuShares, Progress progress) throws InterruptedException {
    progress.say("waiting for the executors");
    JavaSparkContext context = new JavaSparkContext(new SparkConf());
    try {
      AtaRuntime runtime =
          AtaRuntime.of(context.sc())
              .orElseThrow(() -> new RunFailure("Spark ATA is off. Set spark.ata.enabled=true"));
      if (runtime.conf().roundLogPath().isEmpty()) {
        throw new RunFailure("There is no round log. Set spark.ata.roundLog.path to a folder");
      }
      Map<String, String> hosts = new TreeMap<>();
      Map<String, Integer> slots = new TreeMap<>();
      for (Executor executor : ReadyExecutors.await(context, runtime)) {
        hosts.put(executor.id(), executor.host());
        slots.put(executor.id(), executor.slots());
      }
      return new DemoSession(
          context,
          runtime,
          UnevenExecutors.of(cpuShares, hosts),
          slots,
          TaskTimes.listenTo(context.sc()));
    } catch (RuntimeException | InterruptedException error) {
      context.close();
      throw error;
    }
  }

  /** How many trainings have come to Spark ATA. */
  long calls() {
    return runtime.counters().calls.get();
  }

  /** The round log of a training, by its number, from 1. */
  Path roundLog(long call) {
    return Path.of(
        runtime.conf().roundLogPath().orElseThrow(),
        context.sc().applicationId() + "-call-" + call + ".jsonl");
  }

  @Override
  public void close() {
    context.close();
  }
}
