package io.sparkata.tools.demo;

import io.sparkata.tools.Rounds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Figures of runs that never were, for tests of what is made of them. */
final class DemoFigures {
  static final Map<String, Double> SPEEDS = Map.of("0", 300.0, "1", 100.0);

  /** Executor 1 has a CPU share of 8, executor 0 one of 2.5. */
  static final UnevenExecutors EXECUTORS = executors();

  private DemoFigures() {}

  private static UnevenExecutors executors() {
    Map<String, Double> shares = new LinkedHashMap<>();
    shares.put("1", 8.0);
    shares.put("0", 2.5);
    return new UnevenExecutors(shares);
  }

  /**
   * A side whose rounds take {@code seconds} each, and half of whose loss goes with each update.
   *
   * @param rounds of which the last gives the final loss
   */
  static QuickRun run(DemoSide side, double seconds, int rounds) {
    List<Double> ends = numbers(rounds).stream().map(round -> round * seconds).toList();
    List<Double> losses = numbers(rounds).stream().map(round -> Math.pow(0.5, round)).toList();
    return new QuickRun(
        side,
        /* callSeconds= */ rounds * seconds,
        Rounds.fixed(Map.of("0", 25L, "1", 75L), rounds),
        /* workerSeconds= */ 3.0 * rounds,
        /* updates= */ rounds - 1,
        ends,
        losses,
        /* weightDifference= */ 2e-15,
        /* comparedUpdates= */ 1);
  }

  private static List<Integer> numbers(int most) {
    return IntStream.rangeClosed(1, most).boxed().toList();
  }
}
