package io.sparkata.config;

/** When a training goes to MLlib because allocation has nothing to gain there. */
public enum PassThrough {
  /** With one executor, in local mode, or with tiny rounds. */
  AUTO,
  /** Never for want of gain. */
  NEVER
}
