package io.sparkata.cluster;

import io.sparkata.config.GpuUse;
import io.sparkata.spark.SparkBlocks;
import io.sparkata.spark.SparkBlocks.LiveBlockManager;
import io.sparkata.spark.SparkExecutors;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/**
 * The executors of a SparkContext: which are live, which get tasks, with how many slots and which
 * GPU.
 */
final class LiveExecutors implements Cluster {
  private static final int LONG_ROUNDS = 4;
  private static final Duration LONG_TASK = Duration.ofSeconds(1);

  private final SparkContext context;
  private final FeedbackListener listener;
  private final CapabilityReports capabilities;
  private final TaskSlots taskSlots;
  private final int coresIfUnknown;
  private final boolean assignsGpus;
  private final boolean requiresGpu;
  private final Duration longestWait;

  LiveExecutors(
      SparkContext context, GpuUse gpu, FeedbackListener listener, CapabilityReports capabilities) {
    SparkConf conf = context.getConf();
    this.context = context;
    this.listener = listener;
    this.capabilities = capabilities;
    this.taskSlots = TaskSlots.of(conf);
    this.coresIfUnknown = conf.getInt("spark.executor.cores", 1);
    this.assignsGpus =
        gpu != GpuUse.OFF && conf.getLong("spark.executor.resource.gpu.amount", 0) > 0;
    this.requiresGpu = gpu == GpuUse.REQUIRED;
    this.longestWait =
        context.isLocal()
            ? Duration.ZERO // no other will start
            : Duration.ofSeconds(
                conf.getTimeAsSeconds("spark.scheduler.maxRegisteredResourcesWaitingTime", "30s"));
  }

  @Override
  public List<Executor> live() {
    boolean isLocal = context.isLocal();
    return SparkBlocks.liveBlockManagers(context).stream()
        .filter(manager -> isLocal || !manager.isDriver())
        .filter(manager -> !listener.isOfOtherProfile(manager.executorId()))
        .sorted(Comparator.comparing(LiveBlockManager::executorId))
        .map(this::executor)
        .toList();
  }

  @Override
  public List<Executor> staying() {
    return live().stream().filter(one -> SparkExecutors.isActive(context, one.id())).toList();
  }

  @Override
  public Set<String> excluded() {
    return live().stream()
        .filter(one -> listener.isExcluded(one.id(), one.host()))
        .map(Executor::id)
        .collect(Collectors.toSet());
  }

  @Override
  public List<Executor> workers(Duration longestTask) {
    return requiresGpu
        ? capabilities.awaitGpus(() -> active(longestTask), longestWait)
        : active(longestTask);
  }

  /** The active executors; all, with all slots, if none is active. */
  private List<Executor> active(Duration longestTask) {
    List<Executor> all = live();
    List<Executor> active =
        withFreeSlots(all, longestTask).stream()
            .filter(one -> SparkExecutors.isActive(context, one.id()))
            .filter(one -> !listener.isExcluded(one.id(), one.host()))
            .toList();
    return active.isEmpty() ? all : active;
  }

  private List<Executor> withFreeSlots(List<Executor> all, Duration longestTask) {
    long longMillis = Math.max(LONG_ROUNDS * longestTask.toMillis(), LONG_TASK.toMillis());
    long since = System.currentTimeMillis() - longMillis;
    RunningTasks tasks = listener.runningTasks();
    if (!tasks.hasAnySince(since)) {
      return all;
    }
    Map<String, Integer> running = SparkExecutors.runningTasks(context);
    return all.stream()
        .map(
            one ->
                one.without(tasks.countSince(one.id(), since, running.getOrDefault(one.id(), 0))))
        .filter(one -> one.slots() > 0)
        .toList();
  }

  private Executor executor(LiveBlockManager manager) {
    String id = manager.executorId();
    int slots = taskSlots.of(listener.coresOf(id, coresIfUnknown));
    return new Executor(id, manager.host(), slots, manager.freeBytes(), deviceOf(id));
  }

  private Device deviceOf(String executorId) {
    if (!assignsGpus) {
      return Device.CPU;
    }
    return capabilities
        .of(executorId)
        .map(reported -> reported.hasUsableGpu() ? Device.GPU : Device.CPU)
        .orElse(Device.UNKNOWN);
  }
}
