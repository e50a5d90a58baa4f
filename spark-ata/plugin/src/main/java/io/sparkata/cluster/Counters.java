package io.sparkata.cluster;

import java.util.concurrent.atomic.AtomicLong;

/** What Spark ATA did in one application. Thread-safe. */
public final class Counters {
  /** Trainings that came to Spark ATA. */
  public final AtomicLong calls = new AtomicLong();

  /** Those of {@link #calls} that came through MLlib's own method. */
  public final AtomicLong routed = new AtomicLong();

  /** Rounds whose gradient came from allocated executors. */
  public final AtomicLong rounds = new AtomicLong();

  /** Trainings left to MLlib for a reason that is no failure. */
  public final AtomicLong passedThrough = new AtomicLong();

  /** Trainings continued on MLlib's path after trouble. */
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

  /** Attempts seen killed, whose times are lower bounds. */
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
        + " passedThrough="
        + passedThrough
        + " fallbacks="
        + fallbacks;
  }
}
