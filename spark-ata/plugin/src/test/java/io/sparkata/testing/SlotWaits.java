package io.sparkata.testing;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/** How long stages of a job group waited until their first task started. */
public final class SlotWaits extends SparkListener {
  private final String group;
  private final Map<Integer, Long> submitted = new ConcurrentHashMap<>();
  private final List<Long> waits = new CopyOnWriteArrayList<>();

  private SlotWaits(String group) {
    this.group = group;
  }

  /** Starts to listen; for as long as the context lives. */
  public static SlotWaits of(JavaSparkContext context, String group) {
    SlotWaits waits = new SlotWaits(group);
    context.sc().addSparkListener(waits);
    return waits;
  }

  /** Milliseconds of each stage so far. */
  public List<Long> millis() {
    return waits;
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted event) {
    if (group.equals(event.properties().getProperty("spark.jobGroup.id"))) {
      submitted.put(event.stageInfo().stageId(), (Long) event.stageInfo().submissionTime().get());
    }
  }

  @Override
  public void onTaskStart(SparkListenerTaskStart event) {
    Long since = submitted.remove(event.stageId());
    if (since != null) {
      waits.add(event.taskInfo().launchTime() - since);
    }
  }
}
