package io.sparkata.blocks;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sampler that all tasks of a round in this JVM share, so that rows of a partition that several
 * tasks read are drawn once. It is dropped when the last of them ends.
 *
 * @param sampler thread safe
 * @param users tasks that have it open
 */
public record SharedSampler(Round round, RowSampler sampler, int users) implements AutoCloseable {
  private static final Map<Round, SharedSampler> OPEN = new ConcurrentHashMap<>();

  /** What tells rounds apart. */
  record Round(long id, RowSelection rows) {}

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
