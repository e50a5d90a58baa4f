package io.sparkata.rounds;

import io.sparkata.cluster.Observation;
import java.util.List;

/** How rounds are executed. Driver only, one thread. */
public interface RoundRunner extends AutoCloseable {

  /** Runs a round and waits for its sum. */
  <S> RoundResult<S> run(Round<S> round);

  /**
   * The task times that have arrived since the last call; works after {@link #close} too.
   *
   * @throws IllegalStateException if an event could not be understood, now or before
   */
  List<Observation> drain();

  @Override
  void close();
}
