package io.sparkata.rounds.crew;

import io.sparkata.blocks.RowSelection;
import io.sparkata.rounds.RoundTask;
import io.sparkata.rounds.Summand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Work for members.
 *
 * @param shared a {@link RoundShared} as bytes
 * @param tasks {@link RoundTask}s as bytes, by executor
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Handout(byte[] shared, Map<String, byte[][]> tasks) {
  static final Handout NOTHING = new Handout(new byte[0], Map.of());

  /** The most bytes of a message; the connection carries heartbeats, too. */
  private static final long LARGEST_MESSAGE = 32L << 20;

  /**
   * Makes bytes of tasks.
   *
   * @param toBytes makes bytes of what goes to executors
   * @throws CrewTrouble if they are too large for a message
   */
  static Handout of(
      Summand<?> summand,
      RowSelection rows,
      List<RoundTask> tasks,
      Function<Object, byte[]> toBytes)
      throws CrewTrouble {
    byte[] shared = toBytes.apply(new RoundShared<>(summand, rows));
    if (shared.length > LARGEST_MESSAGE) {
      throw new CrewTrouble("the round is larger than a message may be");
    }
    Map<String, byte[][]> bytes = new HashMap<>();
    RoundTask.byExecutor(tasks)
        .forEach((id, own) -> bytes.put(id, own.stream().map(toBytes).toArray(byte[][]::new)));
    return new Handout(shared, bytes);
  }
}
