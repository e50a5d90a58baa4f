package io.sparkata.rounds.crew;

import io.sparkata.cluster.Cluster;
import io.sparkata.cluster.ResidentRound;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What the rounds of one training ask of Spark besides their jobs. Driver only. */
interface RoundHost extends CrewHost {

  Cluster cluster();

  /**
   * Receives an executor that gives no sign of life: it does not count as live until it does.
   *
   * @param seconds for how long
   */
  void silent(String executorId, double seconds);

  /** Until when all trainings run rounds as jobs, by {@link #nanoTime}. */
  AtomicLong noCrewsUntil();

  /** Receives what the tasks of a round took. */
  void took(long round, List<ResidentRound.Task> tasks);
}
