package io.sparkata.lab.bench;

import io.sparkata.lab.Medians;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * One training by one side in an application of its own, as {@link TurnApplication} writes it.
 *
 * @param dataset the rows in words
 * @param figures by name; what was not measured is not there
 * @param series figures by iteration, executor or point, by name; {@link #ENDS} has the seconds
 *     from the call to the end of each iteration
 * @param model the weights; empty where two models cannot be compared
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Turn(
    String dataset, Map<String, Double> figures, Map<String, List<Double>> series, double[] model) {
  static final String ENDS = "ends";
  static final String LOSSES = "losses";
  static final String CALL = "callSeconds";
  static final String SECONDS = "secondsPerIteration";

  /** Series that figures are made of; too long to be stored. */
  static final List<String> UNSTORED = List.of(ENDS, LOSSES);

  private static final int MOST_ITERATIONS = 1_000_000;

  double callSeconds() {
    return figure(CALL);
  }

  double secondsPerIteration() {
    return figure(SECONDS);
  }

  /** NaN if it was not measured. */
  double figure(String name) {
    return figures.getOrDefault(name, Double.NaN);
  }

  int iterations() {
    return series.get(ENDS).size();
  }

  /**
   * Seconds of the iterations that count, the later half: by then a policy has seen some rounds.
   *
   * @param ends seconds from the call to the end of each iteration, at least two
   */
  static List<Double> settledSeconds(List<Double> ends) {
    return IntStream.range(Math.max(1, ends.size() / 2), ends.size())
        .mapToObj(i -> ends.get(i) - ends.get(i - 1))
        .toList();
  }

  /**
   * Seconds from the call until a loss was at most so much; NaN if never. Where there are more
   * evaluations than losses, the losses are taken to be evenly spread.
   */
  double secondsToLoss(double target) {
    List<Double> ends = series.get(ENDS);
    List<Double> losses = series.getOrDefault(LOSSES, List.of());
    for (int i = 0; i < losses.size(); i++) {
      if (losses.get(i) <= target) {
        int looks = (int) Math.ceil((double) (i + 1) * ends.size() / losses.size());
        return ends.get(Math.min(ends.size(), looks) - 1);
      }
    }
    return Double.NaN;
  }

  /** The largest difference of a weight; NaN if there are none to compare. */
  double differenceFrom(Turn other) {
    if (model.length == 0 || model.length != other.model.length) {
      return Double.NaN;
    }
    return IntStream.range(0, model.length)
        .mapToDouble(i -> Math.abs(model[i] - other.model[i]))
        .max()
        .orElseThrow();
  }

  /** The largest difference of a loss, as a part of {@code other}'s; NaN without losses. */
  double lossDifferenceFrom(Turn other) {
    List<Double> own = series.getOrDefault(LOSSES, List.of());
    List<Double> others = other.series.getOrDefault(LOSSES, List.of());
    return IntStream.range(0, own.size() == others.size() ? own.size() : 0)
        .mapToDouble(i -> Math.abs(own.get(i) - others.get(i)) / others.get(i))
        .max()
        .orElse(Double.NaN);
  }

  /** What the call took besides its iterations at {@link #secondsPerIteration}. */
  private double otherSeconds() {
    return callSeconds() - iterations() * secondsPerIteration();
  }

  /**
   * From how many iterations on this call would be the shortest, if all else of the calls stays as
   * it was; empty if its iterations are not the shortest.
   */
  OptionalInt aheadFrom(List<Turn> others) {
    double from = 1;
    for (Turn other : others) {
      double gain = other.secondsPerIteration() - secondsPerIteration();
      if (gain <= 0) {
        return OptionalInt.empty();
      }
      from = Math.max(from, Math.floor((otherSeconds() - other.otherSeconds()) / gain) + 1);
    }
    return from > MOST_ITERATIONS ? OptionalInt.empty() : OptionalInt.of((int) from);
  }

  /** The median of the ratios of turns next to each other; NaN if there are none. */
  static double medianRatio(List<Turn> left, List<Turn> right, String figure) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      double ratio = left.get(i).figure(figure) / right.get(i).figure(figure);
      if (Double.isFinite(ratio)) {
        ratios.add(ratio);
      }
    }
    return ratios.isEmpty() ? Double.NaN : Medians.of(ratios, Double::doubleValue);
  }
}
