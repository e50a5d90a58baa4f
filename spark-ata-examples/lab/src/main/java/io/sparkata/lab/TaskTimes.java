package io.sparkata.lab;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Sums up the times of the tasks of all stages. Thread-safe. */
public final class TaskTimes extends SparkListener {
  private static final long BUS_MILLIS = 60_000;

  private final SparkContext context;
  private final AtomicLong runMillis = new AtomicLong();
  private final AtomicLong tasksAway = new AtomicLong();

  private TaskTimes(SparkContext context) {
    this.context = context;
  }

  public static TaskTimes listenTo(SparkContext context) {
    TaskTimes times = new TaskTimes(context);
    context.addSparkListener(times);
    return times;
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.taskMetrics() != null) {
      runMillis.addAndGet(end.taskMetrics().executorRunTime());
    }
    if (end.taskInfo().taskLocality().toString().equals("ANY")) {
      tasksAway.incrementAndGet();
    }
  }

  public void reset() throws Exception {
    awaitEvents();
    runMillis.set(0);
    tasksAway.set(0);
  }

  /** Run time on executors of all tasks since the reset. */
  public double workerSeconds() throws Exception {
    awaitEvents();
    return runMillis.get() / 1e3;
  }

  /** Number of tasks since the reset that ran away from the executor that holds their data. */
  public long tasksAway() throws Exception {
    awaitEvents();
    return tasksAway.get();
  }

  /** Task ends arrive through a queue, some milliseconds after the job has ended. */
  private void awaitEvents() throws Exception {
    context.listenerBus().waitUntilEmpty(BUS_MILLIS);
  }
}
