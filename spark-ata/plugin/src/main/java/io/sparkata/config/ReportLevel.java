package io.sparkata.config;

/** Where the report of a training is logged. */
public enum ReportLevel {
  /** At WARN, which shells and notebooks show. */
  WARN,
  /** At INFO. */
  LOG,
  /** Nowhere. */
  OFF
}
