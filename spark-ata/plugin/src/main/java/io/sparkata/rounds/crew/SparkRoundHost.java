package io.sparkata.rounds.crew;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Cluster;
import io.sparkata.cluster.ResidentRound;
import io.sparkata.rounds.job.StageRunner;
import io.sparkata.spark.SparkListeners;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkContext;

/** The rounds of one training in a SparkContext. Driver only. */
final class SparkRoundHost extends SparkCrewHost implements RoundHost {
  private final AtaRuntime runtime;
  private final long feedback;

  SparkRoundHost(SparkContext context, AtaRuntime runtime, StageRunner jobs) {
    super(context, jobs.accumulators());
    this.runtime = runtime;
    this.feedback = jobs.feedback();
  }

  @Override
  public Cluster cluster() {
    return runtime.cluster();
  }

  @Override
  public void silent(String executorId, double seconds) {
    runtime.silent().add(executorId, seconds);
  }

  @Override
  public AtomicLong noCrewsUntil() {
    return runtime.noCrewsUntil();
  }

  @Override
  public void took(long round, List<ResidentRound.Task> tasks) {
    SparkListeners.post(context(), new ResidentRound(feedback, round, tasks));
  }
}
