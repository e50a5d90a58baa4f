package io.sparkata.rounds;

import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Observation;
import io.sparkata.config.Execution;
import java.util.List;
import org.apache.spark.SparkContext;

/** How rounds are executed. Driver only, one thread. */
public interface RoundRunner extends AutoCloseable {

  /** A runner for one training, as {@code spark.ata.execution} has it. */
  static RoundRunner of(SparkContext context, AtaRuntime runtime) {
    StageRunner jobs = new StageRunner(context, runtime);
    Execution execution = runtime.conf().execution();
    boolean isByJobs =
        execution == Execution.STAGE || (execution == Execution.AUTO && context.isLocal());
    return isByJobs
        ? jobs
        : new ResidentRunner(context, runtime, jobs, new JobCosts(execution == Execution.RESIDENT));
  }

  /** An executor is lost, or gives no sign of life: it does not count as live until it does. */
  final class LostExecutor extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostExecutor(String message) {
      super(message);
    }
  }

  /**
   * Runs a round and waits for its sum.
   *
   * @throws LostExecutor if the round must be planned again without an executor
   */
  <S> RoundResult<S> run(Round<S> round);

  /** Whether the last round went by message, not as a job. */
  boolean wasByMessage();

  /** Spark's RDD ids that rounds have used up so far. */
  int rddsMade();

  /** The most numbers that should travel with the tasks of the next round, not by a broadcast. */
  int largestInline();

  /**
   * Gives back the slots that are held between rounds; waits until they are free. Throws Spark's
   * exception if what held them was cancelled.
   */
  void release();

  /**
   * The task times that have arrived since the last call; works after {@link #close} too.
   *
   * @throws IllegalStateException if an event could not be understood, now or before
   */
  List<Observation> drain();

  @Override
  void close();
}
