package io.sparkata.config;

/** Whether trainings that allocation cannot speed up are left to Spark. */
public enum PassThrough {
  /** With one executor, in local mode, or with tiny rounds. */
  AUTO,
  /** Never; they are allocated too. */
  NEVER
}
