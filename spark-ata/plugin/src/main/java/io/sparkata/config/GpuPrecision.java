package io.sparkata.config;

/** The precision in which GPUs compute. */
public enum GpuPrecision {
  /** As MLlib computes. */
  DOUBLE,
  /** Rows as floats; sums of blocks of threads are doubles again. */
  SINGLE
}
