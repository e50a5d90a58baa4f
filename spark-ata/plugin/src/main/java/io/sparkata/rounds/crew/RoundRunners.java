package io.sparkata.rounds.crew;

import io.sparkata.blocks.PackedRows;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.config.Execution;
import io.sparkata.rounds.RoundAccumulators;
import io.sparkata.rounds.RoundContext;
import io.sparkata.rounds.RoundRunner;
import io.sparkata.rounds.Rounds;
import io.sparkata.rounds.Workload;
import io.sparkata.rounds.job.StageRunner;
import org.apache.spark.SparkContext;

/** Chooses how a training's rounds are executed. */
public final class RoundRunners {
  private RoundRunners() {}

  /** A runner for one training, as {@code spark.ata.execution} has it. */
  public static RoundRunner of(SparkContext context, AtaRuntime runtime) {
    StageRunner jobs = new StageRunner(context, runtime);
    Execution execution = runtime.conf().execution();
    boolean isByJobs =
        execution == Execution.STAGE || (execution == Execution.AUTO && context.isLocal());
    return isByJobs
        ? jobs
        : new ResidentRunner(
            new SparkRoundHost(context, runtime, jobs),
            jobs,
            new JobCosts(execution == Execution.RESIDENT));
  }

  /**
   * The greedy rounds of one training, which take over the packed rows and close them.
   *
   * @param seed of the rows that executors draw
   */
  public static Rounds greedy(
      SparkContext spark, Workload workload, RoundContext context, PackedRows packed, long seed) {
    RoundAccumulators accumulators = new RoundAccumulators(spark);
    return new GreedyRounds(
        workload,
        context,
        packed,
        seed,
        new SparkCrewHost(spark, accumulators),
        accumulators::close);
  }
}
