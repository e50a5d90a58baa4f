package io.sparkata.rounds.crew;

import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Who waits for the slots of one {@link Crew}. Driver only, thread-safe. */
final class SlotClaims {
  /** How long a crew has its slots while another crew waits for them. */
  private static final long LEASE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long NEVER = Long.MIN_VALUE;

  private final CrewHost host;
  private final String crew;
  private long wantedSince = NEVER;
  private long seatedSince = NEVER;

  /** Who waits. */
  enum Claim {
    NONE,
    /** The crew of another training, after this one's lease. */
    CREW,
    JOB
  }

  SlotClaims(CrewHost host, String crew) {
    this.host = host;
    this.crew = crew;
  }

  /** Receives that the crew has a slot. */
  synchronized void seated() {
    if (seatedSince == NEVER) {
      seatedSince = host.nanoTime();
    }
  }

  /** Whether tasks of the crew itself wait for slots. */
  boolean isWaiting() {
    return host.waiting().contains(crew);
  }

  /**
   * Who waits for slots, and has done so for a moment: while Spark books the end of a task, that
   * task looks like one that waits.
   */
  synchronized Claim claim() {
    long now = host.nanoTime();
    Set<String> waiting = host.waiting();
    boolean isJob = waiting.contains("");
    boolean isCrew = waiting.stream().anyMatch(one -> !one.isEmpty() && !one.equals(crew));
    if (!isJob && !(isCrew && seatedSince != NEVER && now - seatedSince > LEASE_NANOS)) {
      wantedSince = NEVER;
      return Claim.NONE;
    }
    wantedSince = wantedSince == NEVER ? now : wantedSince;
    if (now - wantedSince <= MOMENT_NANOS) {
      return Claim.NONE;
    }
    return isJob ? Claim.JOB : Claim.CREW;
  }
}
