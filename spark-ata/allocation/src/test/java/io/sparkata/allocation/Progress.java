package io.sparkata.allocation;

/** Told what is being run. */
@FunctionalInterface
interface Progress {
  void now(String step);
}
