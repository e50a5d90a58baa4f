package io.sparkata.allocation;

/** Receives the name of the current step. */
@FunctionalInterface
interface Progress {
  void now(String step);
}
