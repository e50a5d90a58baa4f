package io.sparkata.rounds;

import io.sparkata.cluster.Observation;
import java.util.List;

/** How rounds are executed. Driver only, one thread. */
public interface RoundRunner extends AutoCloseable {

  /** An executor is lost, or gives no sign of life: it does not count as live until it does. */
  final class LostExecutor extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LostExecutor(String message) {
      super(message);
    }
  }

  /**
   * Runs a round and waits for its sum.
   *
   * @throws LostExecutor if the round must be planned again without an executor
   */
  <S> RoundResult<S> run(Round<S> round);

  /**
   * Whether an executor of unknown speed gets trials, now or soon, so that no round need wait for
   * what it takes such an executor.
   *
   * @param left rounds of the training from the next one on, as far as is known
   */
  boolean tries(String executorId, int left);

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
