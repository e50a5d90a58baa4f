package io.sparkata.config;

/** When a training goes to MLlib because allocation has nothing to gain there. */
public enum PassThrough {
  /** With one executor, in local mode, with tiny rounds, or with no room for packed data. */
  AUTO,
  /** Never for want of gain; for tests. */
  NEVER
}
