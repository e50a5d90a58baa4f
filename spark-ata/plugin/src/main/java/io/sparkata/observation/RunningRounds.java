package io.sparkata.observation;

import io.sparkata.observation.ObservedRound.Task;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.Success$;
import org.apache.spark.scheduler.JobSucceeded$;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** The rounds whose jobs have started and not ended. One thread. */
public final class RunningRounds {
  private final Map<Integer, Round> byJob = new HashMap<>();
  private final Map<Integer, Round> byStage = new HashMap<>();

  private static final class Round {
    private final int stage;
    private final long startMillis;
    private final Map<Integer, Task> tasks = new LinkedHashMap<>(); // by partition
    private boolean isCaching;

    Round(int stage, long startMillis) {
      this.stage = stage;
      this.startMillis = startMillis;
    }
  }

  /**
   * A round whose job has succeeded.
   *
   * @param isCaching whether it computed and cached the data, too
   */
  public record Ended(ObservedRound round, long startMillis, long endMillis, boolean isCaching) {}

  /** A job has started whose stage {@code summing} sums over the data. */
  public void start(SparkListenerJobStart job, int summing) {
    Round round = new Round(summing, job.time());
    byJob.put(job.jobId(), round);
    byStage.put(summing, round);
  }

  /** The rounds that run cache the data. */
  void cache() {
    byJob.values().forEach(round -> round.isCaching = true);
  }

  /** A task has ended, of any job. */
  public void onTaskEnd(SparkListenerTaskEnd event) {
    Round round = byStage.get(event.stageId());
    if (round != null && event.reason() == Success$.MODULE$ && event.taskMetrics() != null) {
      round.tasks.putIfAbsent( // a speculative copy may succeed, too
          event.taskInfo().index(),
          new Task(
              event.taskInfo().executorId().intern(), // a log repeats them for each task
              event.taskInfo().host().intern(),
              event.taskMetrics().inputMetrics().recordsRead(),
              event.taskMetrics().executorRunTime() / 1e3,
              Math.max(0, event.taskInfo().duration() - event.taskMetrics().executorRunTime())
                  / 1e3));
    }
  }

  /** Any job has ended; empty if it is no round, or failed. */
  public Optional<Ended> onJobEnd(SparkListenerJobEnd event) {
    Round round = byJob.remove(event.jobId());
    if (round == null) {
      return Optional.empty();
    }
    byStage.remove(round.stage);
    if (event.jobResult() != JobSucceeded$.MODULE$) {
      return Optional.empty();
    }
    ObservedRound observed =
        new ObservedRound(
            (event.time() - round.startMillis) / 1e3, List.copyOf(round.tasks.values()));
    return Optional.of(new Ended(observed, round.startMillis, event.time(), round.isCaching));
  }
}
