package io.sparkata.simulation;

/** Told of every round of a run, in order. */
@FunctionalInterface
public interface RoundObserver {

  /** The round is over; it is valid during this call only. */
  void completed(Round round);
}
