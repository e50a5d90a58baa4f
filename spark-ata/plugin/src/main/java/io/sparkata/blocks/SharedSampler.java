package io.sparkata.blocks;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sampler that all tasks of a round in this JVM share, so that rows of a partition that several
 * tasks read are drawn once. It is dropped when the last of them ends.
 */
public final class SharedSampler implements AutoCloseable {
  private static final Map<Round, SharedSampler> OPEN = new ConcurrentHashMap<>();

  private final Round round;
  private final RowSampler sampler;
  private final int users;

  private record Round(long id, RowSelection rows) {}

  private SharedSampler(Round round, RowSampler sampler, int users) {
    this.round = round;
    this.sampler = sampler;
    this.users = users;
  }

  /**
   * The sampler of a round, to be closed when the task ends.
   *
   * @param roundId the same for all tasks of the round, and no other round
   */
  public static SharedSampler of(long roundId, RowSelection rows) {
    return OPEN.compute(
        new Round(roundId, rows),
        (round, open) ->
            open == null
                ? new SharedSampler(round, new RowSampler(rows.fraction(), rows.seed()), 1)
                : new SharedSampler(round, open.sampler, open.users + 1));
  }

  /** The sampler; thread safe. */
  public RowSampler sampler() {
    return sampler;
  }

  /** Rounds that have a sampler in this JVM. */
  public static int openRounds() {
    return OPEN.size();
  }

  @Override
  public void close() {
    OPEN.computeIfPresent(
        round,
        (key, open) ->
            open.users == 1 ? null : new SharedSampler(round, open.sampler, open.users - 1));
  }
}
