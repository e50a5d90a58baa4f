package io.sparkata.config;

/** What Spark ATA does with the partitions that an application caches. */
public enum CacheUse {
  /** Nothing. */
  OFF,
  /** Moves them so that the tasks of a stage end together. */
  BALANCE
}
