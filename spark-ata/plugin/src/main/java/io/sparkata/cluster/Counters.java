package io.sparkata.cluster;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what Spark ATA did in one application. Thread-safe. */
public final class Counters {
  /** Trainings that reached Spark ATA. */
  public final AtomicLong calls = new AtomicLong();

  /** Those of {@link #calls} that were routed from MLlib's own method. */
  public final AtomicLong routed = new AtomicLong();

  /** Allocated rounds. */
  public final AtomicLong rounds = new AtomicLong();

  /** Those of {@link #rounds} that were no Spark jobs. */
  public final AtomicLong residentRounds = new AtomicLong();

  /** Trainings left to Spark for a reason other than a failure. */
  public final AtomicLong passedThrough = new AtomicLong();

  /** Trainings that MLlib continued after a failure. */
  public final AtomicLong fallbacks = new AtomicLong();

  /** Blocks split between two executors, summed over rounds. */
  public final AtomicLong cuts = new AtomicLong();

  /** Blocks fetched from a peer. */
  public final AtomicLong fetchedBlocks = new AtomicLong();

  /** Fetched blocks that stayed as replicas. */
  public final AtomicLong keptReplicas = new AtomicLong();

  /** Partitions packed again because a block was lost. */
  public final AtomicLong repackedPartitions = new AtomicLong();

  /** Task ends of sampling stages that reached the listener. */
  public final AtomicLong observations = new AtomicLong();

  /** Killed attempts, whose times are lower bounds. */
  public final AtomicLong censoredObservations = new AtomicLong();

  /** The closing line of an application. */
  @Override
  public String toString() {
    return "calls="
        + calls
        + " routed="
        + routed
        + " rounds="
        + rounds
        + " byMessage="
        + residentRounds
        + " passedThrough="
        + passedThrough
        + " fallbacks="
        + fallbacks;
  }
}
