package io.sparkata.cluster;

import io.sparkata.gate.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the executors of an application have reported. Driver only, thread-safe; Spark's threads add
 * and never wait.
 */
public final class CapabilityReports extends SparkListener {
  private static final Logger LOG = LoggerFactory.getLogger(CapabilityReports.class);
  private static final long POLL_MILLIS = 50;

  private final Map<String, ExecutorCapabilities> byExecutor = new ConcurrentHashMap<>();
  private final Map<String, String> misfits = new ConcurrentHashMap<>();
  private final AtomicBoolean isLogged = new AtomicBoolean();

  /** Replaces what the executor has reported before; a change is logged. */
  public void add(ExecutorCapabilities report) {
    ExecutorCapabilities before = byExecutor.put(report.executorId(), report);
    if (before == null) {
      LOG.debug("Spark ATA: {}", report);
    } else if (!report.equals(before)) { // a GPU has failed
      LOG.info("Spark ATA: {}", report);
    }
  }

  /** Logs one line on all executors, the first time that it is called. */
  void logOnce(Supplier<List<Executor>> live) {
    if (isLogged.getAndSet(true)) {
      return;
    }
    try {
      List<Executor> executors = live.get();
      List<ExecutorCapabilities> reported =
          executors.stream().flatMap(one -> of(one.id()).stream()).toList();
      LOG.info("{}", ExecutorsLine.of(reported, executors.size()));
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      LOG.debug("Spark ATA: cannot describe the executors", error);
    }
  }

  /** Spark never reuses an id. */
  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    byExecutor.remove(event.executorId());
    misfits.remove(event.executorId());
  }

  /** Receives why an executor cannot take part. */
  public void addMisfit(String executorId, String cause) {
    misfits.put(executorId, cause);
  }

  /** Why one of the live executors cannot take part; empty if all can. */
  Optional<String> misfit(Supplier<List<Executor>> live) {
    return misfits.isEmpty()
        ? Optional.empty()
        : live.get().stream()
            .map(Executor::id)
            .filter(misfits::containsKey)
            .findFirst()
            .map(misfits::get);
  }

  Optional<ExecutorCapabilities> of(String executorId) {
    return Optional.ofNullable(byExecutor.get(executorId));
  }

  /**
   * The live executors with a usable GPU. Waits while there is none: an executor is live before it
   * has reported, and others may still start.
   *
   * @param live polled
   * @param longest how long to wait
   * @throws GpuRequiredException naming each executor, address and cause
   */
  List<Executor> awaitGpus(Supplier<List<Executor>> live, Duration longest) {
    long start = System.nanoTime();
    while (true) {
      List<Executor> executors = live.get();
      List<Executor> withGpu =
          executors.stream().filter(executor -> executor.device() == Device.GPU).toList();
      if (!withGpu.isEmpty()) {
        return withGpu;
      }
      if (System.nanoTime() - start >= longest.toNanos()) {
        throw new GpuRequiredException(
            "no executor has a usable GPU after "
                + longest.toSeconds()
                + " s of waiting ("
                + String.join("; ", reasons(executors))
                + ")");
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for a usable GPU", interrupted);
    }
  }

  private List<String> reasons(List<Executor> executors) {
    List<String> reasons = new ArrayList<>();
    for (Executor executor : executors) {
      String name = "executor " + executor.id() + " on " + executor.host();
      ExecutorCapabilities statement = byExecutor.get(executor.id());
      if (statement == null) {
        reasons.add(name + ": it has not stated yet which addresses it can use");
      } else if (statement.causes().isEmpty()) {
        reasons.add(
            name + ": Spark assigned it no address, set spark.executor.resource.gpu.amount");
      } else {
        statement
            .causes()
            .forEach((address, cause) -> reasons.add(name + ", address " + address + ": " + cause));
      }
    }
    return reasons.isEmpty() ? List.of("no executor lives") : reasons;
  }
}
