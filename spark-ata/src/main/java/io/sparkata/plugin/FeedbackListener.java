package io.sparkata.plugin;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * Hears of executors' cores and of sampling tasks' ends, on a queue of its own. Events may be late
 * or lost: that costs accuracy only. Trouble with one goes to the training that it belongs to.
 */
final class FeedbackListener extends SparkListener {
  private final Map<String, Integer> cores = new ConcurrentHashMap<>();
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

  /** Cores of an executor, or {@code otherwise} where its start has not been heard of. */
  int coresOf(String executorId, int otherwise) {
    return cores.getOrDefault(executorId, otherwise);
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded event) {
    cores.put(event.executorId(), event.executorInfo().totalCores());
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted event) {
    calls.forEach(call -> call.hear(() -> call.onStageSubmitted(event)));
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    calls.forEach(call -> call.hear(() -> call.onTaskEnd(event)));
  }
}
