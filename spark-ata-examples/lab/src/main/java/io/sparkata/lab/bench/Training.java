package io.sparkata.lab.bench;

import io.sparkata.lab.Rounds;

/** A training as a user writes it, on the driver of an application of its own. */
interface Training {
  /** The rows in words. */
  String dataset();

  /** Goes over the input once, so that executors have loaded the code that reads it. */
  default void read() throws Exception {}

  /** Caches the input as the side wants it, if the training does not do that by itself. */
  default void cache() throws Exception {}

  /** Forgets the cached input, and waits for it. */
  default void uncache() {}

  /** Trains a little, so that code gets warm and speeds are learned; each time the same. */
  void rehearse() throws Exception;

  /** Trains, with the figures and series that the training knows by itself. */
  Turn train() throws Exception;

  /** How many iterations of {@link #train} have ended so far, if it is known. Any thread. */
  default int ended() {
    return 0;
  }

  /** Whether Spark ATA answers iterations where it is on. */
  default boolean isRouted() {
    return true;
  }

  /** Rows of a round, in the mean; NaN where its efficiency cannot be measured. */
  default double batch() {
    return Double.NaN;
  }

  /** Adds what depends on the round log. */
  default void complete(Turn turn, Rounds rounds) {}
}
