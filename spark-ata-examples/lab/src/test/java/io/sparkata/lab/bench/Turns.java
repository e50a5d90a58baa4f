package io.sparkata.lab.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Turns for tests. */
final class Turns {
  private Turns() {}

  /**
   * A turn with a model.
   *
   * @param otherSeconds of the call, before its first iteration
   */
  static Turn of(double otherSeconds, int iterations, double secondsPerIteration, double... model) {
    List<Double> ends =
        IntStream.rangeClosed(1, iterations)
            .mapToObj(i -> otherSeconds + i * secondsPerIteration)
            .toList();
    return with(
        Map.of(
            Turn.CALL,
            ends.get(iterations - 1),
            Turn.SECONDS,
            secondsPerIteration,
            "finalLoss",
            0.5),
        Map.of(Turn.ENDS, ends, Turn.LOSSES, List.of(0.9, 0.7, 0.5)),
        model);
  }

  static Turn with(Map<String, Double> figures, Map<String, List<Double>> series, double... model) {
    return new Turn("rows", new TreeMap<>(figures), new TreeMap<>(series), model);
  }

  /** Of Spark 30 and 22 s, of Spark ATA with these figures. */
  static Comparison comparison(double otherSeconds, double secondsPerIteration) {
    Map<Side, List<Turn>> turns = new LinkedHashMap<>();
    turns.put(Side.of("spark"), List.of(of(10, 20, 1, 1, 2)));
    turns.put(Side.of("spark-partitioned"), List.of(of(12, 20, 0.5, 1, 2)));
    turns.put(
        Side.of("spark-ata"), List.of(of(otherSeconds, 20, secondsPerIteration, 1, 2 + 3e-9)));
    return new Comparison("2,1", "flights-1000", 20, turns);
  }
}
