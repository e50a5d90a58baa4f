package io.sparkata.config;

/** How rounds are executed. */
public enum Execution {
  /** Each as a Spark job. */
  STAGE,
  /** By tasks that stay for many rounds and get each by message. */
  RESIDENT,
  /** As jobs, and by messages once jobs cost too much of the rounds' time. */
  AUTO
}
