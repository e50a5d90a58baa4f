package io.sparkata.cache;

import io.sparkata.cache.PartitionPlan.Move;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Gives an executor that has lost its last partition one of them again: it may be fast by now, and
 * only a task shows that. After some stages, and each time after twice as many. One thread.
 */
final class Trials {
  private static final int FIRST = 20;

  private final Map<Integer, Map<String, Rest>> rests = new HashMap<>(); // by RDD and executor

  private static final class Rest {
    private int stages;
    private int patience = FIRST;
  }

  /**
   * Counts a stage whose plan moves nothing.
   *
   * @param rdd the oldest that it has read
   * @return the lightest partition that may move of the executor that ends last, to an executor
   *     whose rest is over; empty if there is none, or if that executor has one partition only
   */
  Optional<Move> next(int rdd, StageLoad load) {
    Map<String, Rest> ofRdd = rests.computeIfAbsent(rdd, unused -> new HashMap<>());
    List<String> ids = load.ids();
    ofRdd.keySet().retainAll(ids);
    int tried = -1;
    for (int e = 0; e < ids.size(); e++) {
      Rest rest = ofRdd.computeIfAbsent(ids.get(e), unused -> new Rest());
      long held = load.held(e);
      if (held > 1) {
        rest.patience = FIRST; // it is no trial any more
      }
      rest.stages = held > 0 ? 0 : rest.stages + 1;
      tried = rest.stages >= rest.patience ? e : tried;
    }
    int last = load.last();
    if (tried < 0 || load.held(last) < 2) {
      return Optional.empty();
    }
    Rest rest = ofRdd.get(ids.get(tried));
    rest.stages = 0;
    rest.patience *= 2;
    int to = tried;
    return IntStream.range(0, load.at().length)
        .filter(p -> load.at()[p] == last && load.mayMove(p))
        .boxed()
        .min((left, right) -> Double.compare(load.weights()[left], load.weights()[right]))
        .map(p -> new Move(p, last, to));
  }

  /** Forgets an RDD that is no longer persisted. */
  void forget(int rdd) {
    rests.remove(rdd);
  }
}
