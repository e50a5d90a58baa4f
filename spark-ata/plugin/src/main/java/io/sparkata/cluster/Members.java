package io.sparkata.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The live executors in a fixed order, as they were when a round was planned. Immutable. The
 * version changes when an executor comes or goes, not when memory or slots change. Driver only.
 *
 * @param executors in order
 * @param ids of them, in the same order
 * @param positions of them, by id
 */
public record Members(
    List<Executor> executors, List<String> ids, Map<String, Integer> positions, long version) {
  /** Before the first round. */
  public static final Members NONE = new Members(List.of(), List.of(), Map.of(), 0);

  private static final AtomicLong LAST_VERSION = new AtomicLong();

  /** The first snapshot of these executors. */
  public static Members of(List<Executor> executors) {
    return NONE.next(executors);
  }

  /** The snapshot that follows this one. */
  public Members next(List<Executor> now) {
    List<String> nextIds = now.stream().map(Executor::id).toList();
    if (nextIds.equals(ids)) {
      return new Members(List.copyOf(now), ids, positions, version);
    }
    Map<String, Integer> nextPositions = new HashMap<>(2 * nextIds.size());
    for (int i = 0; i < nextIds.size(); i++) {
      nextPositions.put(nextIds.get(i), i);
    }
    return new Members(List.copyOf(now), nextIds, nextPositions, LAST_VERSION.incrementAndGet());
  }

  public int size() {
    return executors.size();
  }

  public boolean isEmpty() {
    return executors.isEmpty();
  }

  public Executor get(int position) {
    return executors.get(position);
  }

  /** The position of an executor; -1 if it is not among them. */
  public int position(String id) {
    return positions.getOrDefault(id, -1);
  }

  /** Whether they are the same executors, in the same order. */
  public boolean areThoseOf(Members other) {
    return version == other.version;
  }
}
