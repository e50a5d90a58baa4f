package io.sparkata.rounds.job;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.CallFeedback;
import io.sparkata.cluster.CallFeedback.ExpectedTask;
import io.sparkata.cluster.Observation;
import io.sparkata.rounds.Round;
import io.sparkata.rounds.RoundAccumulators;
import io.sparkata.rounds.RoundPlan;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundRunner;
import java.util.List;
import org.apache.spark.SparkContext;

/** Runs a round as one Spark job, and learns the times of its tasks from the listener bus. */
public final class StageRunner implements RoundRunner {
  /** Spark broadcasts a task's binary anyway. Measured: docs/decisions/07-weights.md. */
  private static final int LARGEST_INLINE = 32_768;

  private final SparkContext context;
  private final AtaRuntime runtime;
  private final RoundAccumulators accumulators;
  private final CallFeedback feedback;
  private final JobWatch watch;
  private int rddsMade;

  /** A runner for one training. */
  public StageRunner(SparkContext context, AtaRuntime runtime) {
    this.context = context;
    this.runtime = runtime;
    this.accumulators = new RoundAccumulators(context);
    this.feedback =
        runtime.openFeedback(
            accumulators.kernelNanos().id(),
            accumulators.sampledRows().id(),
            accumulators.fetchNanos().id());
    this.watch = new JobWatch(context, runtime.silent());
  }

  /** By which rounds that are no jobs name the training's feedback. */
  public long feedback() {
    return feedback.id();
  }

  public RoundAccumulators accumulators() {
    return accumulators;
  }

  @Override
  public boolean tries(String executorId, int left) {
    return false; // a job waits for all of its tasks
  }

  @Override
  public boolean wasByMessage() {
    return false;
  }

  @Override
  public int rddsMade() {
    return rddsMade;
  }

  @Override
  public int largestInline() {
    return LARGEST_INLINE;
  }

  @Override
  public void release() {} // a job that has ended holds nothing

  @Override
  public <S> RoundResult<S> run(Round<S> round) {
    RoundPlan plan = round.plan();
    rddsMade++;
    RoundRdd<S> rdd = new RoundRdd<>(context, round, accumulators);
    feedback.expect(
        rdd.id(),
        plan.tasks().stream()
            .map(
                task ->
                    new ExpectedTask(
                        task.executorId(),
                        Math.round(task.rows() * round.rows().fraction()),
                        task.slots(),
                        plan.contended().contains(task.executorId())))
            .toList());
    int depth = Aggregation.depth(plan.tasks().size(), round.summand().size());
    return watch.run(depth > 1, () -> Aggregation.sum(rdd, round.summand(), depth));
  }

  @Override
  public List<Observation> drain() {
    return feedback.drain();
  }

  @Override
  public void close() {
    watch.close();
    runtime.closeFeedback(feedback);
    accumulators.close();
  }
}
