package io.sparkata.simulation;

/** Plays the rounds of one run, in order. */
interface Clock {

  /** Plays a round that has begun. */
  void play(Round round);
}
