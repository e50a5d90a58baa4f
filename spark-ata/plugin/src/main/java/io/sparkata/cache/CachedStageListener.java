package io.sparkata.cache;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.StageInfo;

/** Follows the stages that read cached partitions, by their events. One thread. */
abstract class CachedStageListener extends SparkListener {
  final StageLessons lessons = new StageLessons();
  private final Map<Integer, CachedStage> running = new HashMap<>();

  /** Whether to follow a stage that begins. */
  abstract boolean isFollowed(StageInfo info, CachedStage stage);

  /** Whether tasks of an executor still count. */
  boolean isLive(String executor) {
    return true;
  }

  /** Receives a task that has read its partition where it ran. */
  void hasRead(CachedStage stage, SparkListenerTaskEnd task) {}

  /** Receives a stage whose tasks are all done. */
  abstract void completed(CachedStage stage, StageInfo info);

  /** Runs what an event asks for. */
  void guard(Runnable step) {
    step.run();
  }

  @Override
  public final void onStageSubmitted(SparkListenerStageSubmitted event) {
    StageInfo info = event.stageInfo();
    guard(
        () ->
            lessons
                .begins(info)
                .filter(stage -> isFollowed(info, stage))
                .ifPresent(stage -> running.put(info.stageId(), stage)));
  }

  @Override
  public final void onTaskStart(SparkListenerTaskStart event) {
    CachedStage stage = running.get(event.stageId());
    if (stage != null) {
      guard(() -> stage.begins(event.taskInfo()));
    }
  }

  @Override
  public final void onTaskEnd(SparkListenerTaskEnd event) {
    CachedStage stage = running.get(event.stageId());
    if (stage != null && isLive(event.taskInfo().executorId())) {
      guard(
          () -> {
            if (stage.add(event)) {
              hasRead(stage, event);
            }
          });
    }
  }

  @Override
  public final void onStageCompleted(SparkListenerStageCompleted event) {
    StageInfo info = event.stageInfo();
    CachedStage stage = running.remove(info.stageId());
    if (stage != null && info.failureReason().isEmpty()) {
      guard(
          () -> {
            stage.ended((Long) info.completionTime().get());
            completed(stage, info);
          });
    }
  }
}
