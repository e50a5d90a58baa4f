package io.sparkata.config;

/** What Spark ATA does with the partitions that an application caches. */
public enum CacheUse {
  /** Nothing. */
  OFF,
  /** Reports what moving them would save. */
  OBSERVE,
  /** Moves them so that the tasks of a stage end together. */
  BALANCE
}
