package io.sparkata.config;

/** Whether executors compute on the GPUs that Spark assigned to them, and who gets samples. */
public enum GpuUse {
  /** Every executor gets samples; tasks with a usable GPU compute on it, all others on the CPU. */
  AUTO,
  /** Only executors with a usable GPU get samples; MLlib's own path is never taken. */
  REQUIRED,
  /** The CPU everywhere; nobody looks at addresses. */
  OFF
}
