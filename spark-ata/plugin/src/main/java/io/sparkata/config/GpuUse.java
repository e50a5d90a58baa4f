package io.sparkata.config;

/**
 * Whether executors compute on the GPUs that Spark assigned to them, and which executors get
 * samples.
 */
public enum GpuUse {
  /** Every executor gets samples; tasks with a usable GPU compute on it, all others on the CPU. */
  AUTO,
  /** Only executors with a usable GPU get samples; MLlib's own path is never taken. */
  REQUIRED,
  /** CPUs only; GPU addresses are ignored. */
  OFF
}
