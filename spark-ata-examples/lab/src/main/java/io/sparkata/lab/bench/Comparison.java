package io.sparkata.lab.bench;

import io.sparkata.lab.Medians;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All turns on one workload and one cluster.
 *
 * @param turns by side, in the order of the sides
 */
record Comparison(String speeds, String work, int iterations, Map<Side, List<Turn>> turns) {
  /** L-BFGS amplifies rounding, so that losses of two sides differ by more than an ulp. */
  private static final double LOSS_TOLERANCE = 1e-3;

  /** The results of the sides. */
  List<Result.Row> rows() {
    return turns.keySet().stream().map(this::row).toList();
  }

  private Result.Row row(Side side) {
    List<Turn> own = turns.get(side);
    Turn last = own.get(own.size() - 1);
    Map<String, List<Double>> series = new TreeMap<>(last.series());
    series.keySet().removeAll(Turn.UNSTORED);
    return new Result.Row(
        speeds,
        work,
        last.dataset(),
        side.id(),
        iterations,
        own.size(),
        figures(side, own),
        series,
        own.stream().map(Turn::figures).toList());
  }

  private Map<String, Double> figures(Side side, List<Turn> own) {
    Map<String, Double> figures = new TreeMap<>();
    Set<String> names = new LinkedHashSet<>();
    own.forEach(turn -> names.addAll(turn.figures().keySet()));
    for (String name : names) {
      List<Turn> measured = own.stream().filter(turn -> turn.figures().containsKey(name)).toList();
      figures.put(name, Medians.of(measured, turn -> turn.figure(name)));
    }
    figures.put(
        "leastCallSeconds", own.stream().mapToDouble(Turn::callSeconds).min().orElseThrow());
    figures.put("mostCallSeconds", own.stream().mapToDouble(Turn::callSeconds).max().orElseThrow());
    compare(side, own, figures);
    figures.values().removeIf(value -> !Double.isFinite(value));
    return figures;
  }

  private void compare(Side side, List<Turn> own, Map<String, Double> figures) {
    Map<Side, List<Turn>> others = new LinkedHashMap<>(turns);
    others.keySet().removeIf(other -> !other.comparesWith(side));
    others.forEach(
        (other, theirs) -> {
          figures.put("speedup." + other.id(), Turn.medianRatio(theirs, own, Turn.SECONDS));
          figures.put("callSpeedup." + other.id(), Turn.medianRatio(theirs, own, Turn.CALL));
        });
    List<Turn> firsts = others.values().iterator().next();
    figures.put("storageRatio", Turn.medianRatio(own, firsts, "storageBytes"));
    Turn first = firsts.get(0);
    figures.put(
        "weightDifference",
        own.stream().mapToDouble(turn -> turn.differenceFrom(first)).max().orElseThrow());
    figures.put(
        "lossDifference",
        own.stream().mapToDouble(turn -> turn.lossDifferenceFrom(first)).max().orElseThrow());
    double target =
        turns.values().iterator().next().get(0).figure("finalLoss") * (1 + LOSS_TOLERANCE);
    figures.put("targetLoss", target);
    figures.put("secondsToLoss", Medians.of(own, turn -> turn.secondsToLoss(target)));
  }
}
