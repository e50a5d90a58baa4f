package io.sparkata.config;

/** In what precision GPUs compute. */
public enum GpuPrecision {
  /** As MLlib. */
  DOUBLE,
  /** Rows as floats; sums of blocks of threads are doubles again. */
  SINGLE
}
