package io.sparkata.spark;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.ExecutorAllocationManager;
import org.apache.spark.SparkContext;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.scheduler.TaskSchedulerImpl;
import org.apache.spark.scheduler.TaskSetManager;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Map$;

/** Executors and waiting tasks as Spark's scheduler knows them. Driver only. */
public final class SparkExecutors {
  private SparkExecutors() {}

  /**
   * The preferred location of a task, in Spark's notation: the executor, or only its host if that
   * has an underscore, where Spark would end the name of the host.
   */
  public static String location(String host, String executorId) {
    return host.contains("_") ? host : "executor_" + host + "_" + executorId;
  }

  /** Whether the executor gets tasks: Spark is neither removing nor decommissioning it. */
  public static boolean isActive(SparkContext context, String executorId) {
    return !(context.schedulerBackend() instanceof ExecutorAllocationClient client)
        || client.isExecutorActive(executorId);
  }

  /** How many tasks each executor runs, by its id, as counted by Spark's scheduler. */
  public static Map<String, Integer> runningTasks(SparkContext context) {
    if (!(context.taskScheduler() instanceof TaskSchedulerImpl scheduler)) {
      return Map.of();
    }
    Map<String, Integer> running = new HashMap<>();
    for (Tuple2<String, Object> count : Scala.each(scheduler.runningTasksByExecutors())) {
      running.put(count._1(), (Integer) count._2());
    }
    return running;
  }

  /**
   * The jobs whose tasks wait for slots.
   *
   * @param property of jobs
   * @return its values in these jobs; empty for a job without it
   */
  public static Set<String> waitingJobs(SparkContext context, String property) {
    if (!(context.taskScheduler() instanceof TaskSchedulerImpl scheduler)) {
      return Set.of();
    }
    Set<String> waiting = new HashSet<>();
    for (TaskSetManager set : Scala.each(scheduler.rootPool().getSortedTaskSetQueue())) {
      if (!set.isZombie() && TaskAttempts.isWaiting(set)) {
        Properties properties = set.taskSet().properties(); // null once its job has ended
        waiting.add(properties == null ? "" : properties.getProperty(property, ""));
      }
    }
    return waiting;
  }

  /** Spark's dynamic allocation of executors of its default resource profile. */
  public interface DynamicAllocation {
    /** The total number of executors that Spark has requested. */
    int target();

    /**
     * Requests a total number of executors, which holds until Spark requests another; waits for the
     * answer of Spark's scheduler. Does nothing if Spark has requested executors of another
     * resource profile too, because this would cancel that request.
     */
    void request(int total);
  }

  /** Empty without dynamic allocation. */
  public static Optional<DynamicAllocation> dynamicAllocation(SparkContext context) {
    Option<ExecutorAllocationManager> manager = context.executorAllocationManager();
    return manager.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new DynamicAllocation() {
              @Override
              public int target() {
                return targetOf(manager.get());
              }

              @Override
              public void request(int total) {
                if (!hasTargetsOfOthers(manager.get())) {
                  context.requestTotalExecutors(total, 0, Map$.MODULE$.empty());
                }
              }
            });
  }

  private static boolean hasTargetsOfOthers(ExecutorAllocationManager manager) {
    synchronized (manager) {
      return manager.numExecutorsTargetPerResourceProfileId().size() > 1;
    }
  }

  private static int targetOf(ExecutorAllocationManager manager) {
    synchronized (manager) { // as it does itself
      int profile = ResourceProfile.DEFAULT_RESOURCE_PROFILE_ID();
      Option<Object> target = manager.numExecutorsTargetPerResourceProfileId().get(profile);
      return target.isEmpty() ? 0 : (Integer) target.get();
    }
  }
}
