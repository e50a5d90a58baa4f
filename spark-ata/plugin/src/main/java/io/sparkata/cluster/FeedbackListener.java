package io.sparkata.cluster;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorExcluded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerExecutorUnexcluded;
import org.apache.spark.scheduler.SparkListenerNodeExcluded;
import org.apache.spark.scheduler.SparkListenerNodeUnexcluded;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.TaskInfo;

/**
 * Keeps executors' cores and profiles, the executors that Spark excludes after failures, and the
 * running tasks, and passes task ends to trainings. It has its own listener queue; late or lost
 * events cost accuracy or time only. {@link CallFeedback#drain} throws a failure in the training of
 * the event.
 */
final class FeedbackListener extends SparkListener {
  private final Map<String, Integer> cores = new ConcurrentHashMap<>();
  private final Set<String> ofOtherProfiles = ConcurrentHashMap.newKeySet();
  private final Set<String> excludedExecutors = ConcurrentHashMap.newKeySet();
  private final Set<String> excludedHosts = ConcurrentHashMap.newKeySet();
  private final RunningTasks runningTasks = new RunningTasks();

  /** Stages of crews, whose tasks leave when other tasks wait; the listener's thread only. */
  private final Set<Integer> crews = new HashSet<>();

  private final CopyOnWriteArrayList<CallFeedback> calls = new CopyOnWriteArrayList<>();

  void add(CallFeedback call) {
    calls.add(call);
  }

  void remove(CallFeedback call) {
    calls.remove(call);
  }

  int openCalls() {
    return calls.size();
  }

  /** Cores of an executor, or {@code otherwise} if its start is not known yet. */
  int coresOf(String executorId, int otherwise) {
    return cores.getOrDefault(executorId, otherwise);
  }

  /** Whether the executor is known to have another resource profile than Spark's default. */
  boolean isOfOtherProfile(String executorId) {
    return ofOtherProfiles.contains(executorId);
  }

  /** Whether Spark has excluded the executor, or all of its host ({@code excludeOnFailure}). */
  boolean isExcluded(String executorId, String host) {
    return excludedExecutors.contains(executorId) || excludedHosts.contains(host);
  }

  RunningTasks runningTasks() {
    return runningTasks;
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded event) {
    cores.put(event.executorId(), event.executorInfo().totalCores());
    if (event.executorInfo().resourceProfileId() != ResourceProfile.DEFAULT_RESOURCE_PROFILE_ID()) {
      ofOtherProfiles.add(event.executorId());
    }
  }

  /** Spark never reuses an id. */
  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    cores.remove(event.executorId());
    ofOtherProfiles.remove(event.executorId());
    excludedExecutors.remove(event.executorId());
    runningTasks.executorRemoved(event.executorId());
  }

  @Override
  public void onExecutorExcluded(SparkListenerExecutorExcluded event) {
    excludedExecutors.add(event.executorId());
  }

  @Override
  public void onExecutorUnexcluded(SparkListenerExecutorUnexcluded event) {
    excludedExecutors.remove(event.executorId());
  }

  @Override
  public void onNodeExcluded(SparkListenerNodeExcluded event) {
    excludedHosts.add(event.hostId());
  }

  @Override
  public void onNodeUnexcluded(SparkListenerNodeUnexcluded event) {
    excludedHosts.remove(event.hostId());
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof ResidentRound round) {
      calls.forEach(call -> call.handle(() -> call.onResidentRound(round)));
    }
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted event) {
    if (event.properties() != null && event.properties().getProperty(ResidentRound.CREW) != null) {
      crews.add(event.stageInfo().stageId());
    }
    calls.forEach(call -> call.handle(() -> call.onStageSubmitted(event)));
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted event) {
    crews.remove(event.stageInfo().stageId());
  }

  @Override
  public void onTaskStart(SparkListenerTaskStart event) {
    if (!crews.contains(event.stageId())) {
      TaskInfo task = event.taskInfo();
      runningTasks.started(task.executorId(), task.taskId(), task.launchTime());
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    TaskInfo task = event.taskInfo();
    if (task != null) {
      runningTasks.ended(task.executorId(), task.taskId());
    }
    calls.forEach(call -> call.handle(() -> call.onTaskEnd(event)));
  }
}
