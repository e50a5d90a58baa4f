package io.sparkata.lab.cold;

import io.sparkata.lab.Medians;
import java.util.List;
import java.util.Map;

/**
 * What one side did in one application.
 *
 * @param side id of a {@link ColdSide}
 * @param callSeconds from the call to the model; of Spark ATA, packing and learning included
 * @param ends seconds from the call to the end of each evaluation or iteration
 * @param routed evaluations or iterations that Spark ATA answered
 * @param model the weights
 * @param shares the samples of Spark ATA's rounds, by host; else empty
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ColdRun(
    String side,
    double callSeconds,
    List<Double> ends,
    long routed,
    double[] model,
    List<Map<String, Long>> shares) {
  /** The median of the later half: by then a policy has seen some. */
  public double secondsPerIteration() {
    int from = Math.max(1, ends.size() / 2);
    double[] seconds = new double[ends.size() - from];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = ends.get(from + i) - ends.get(from + i - 1);
    }
    return Medians.of(seconds);
  }

  /** What the call took besides its iterations at {@link #secondsPerIteration}. */
  double otherSeconds() {
    return callSeconds - ends.size() * secondsPerIteration();
  }

  /** The largest difference of a weight. */
  public double differenceFrom(ColdRun other) {
    double largest = 0;
    for (int i = 0; i < model.length; i++) {
      largest = Math.max(largest, Math.abs(model[i] - other.model[i]));
    }
    return largest;
  }
}
