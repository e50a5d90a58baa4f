package io.sparkata.lab.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sparkata.lab.paper.MeasuredCurve;
import java.util.List;
import java.util.Locale;

/**
 * One training of the network by one side, of the case cnn or ring.
 *
 * @param speeds relative speeds of the cluster's workers
 * @param weights of the network
 * @param images that rounds draw from
 * @param batch images of a round, in the mean
 * @param iterations updates
 * @param medianMillis the median time between updates, in milliseconds
 * @param packSeconds packing, at the beginning of the call, in a ring the exchange of addresses;
 *     the seconds of the points include it
 * @param residentShare of the rounds, those that went by message; NaN in a ring
 * @param stolenShare share of the requested CPU time that the hypervisor gave to others
 * @param lossDifference the largest difference between this side's losses of the mini-batches and
 *     those of the first side that draws the same images, as a part of the latter; NaN under greedy
 * @param points the first before any update; in a ring that and the last
 * @param shares of the executors, in the order of {@code speeds}
 */
record CnnMeasurement(
    @JsonProperty("case") String caseName,
    String side,
    String speeds,
    int weights,
    int images,
    int batch,
    int iterations,
    double medianMillis,
    double packSeconds,
    double residentShare,
    double stolenShare,
    double lossDifference,
    List<Point> points,
    List<Share> shares) {
  /** The points of a training besides the first. */
  static final int POINTS = 25;

  static final String RING_EQUAL = "ring-equal";

  /** The sides that the case ring can have. */
  static final List<String> RING_SIDES =
      List.of(RING_EQUAL, "ring-static", "ring-self-adaptive", "uniform", "self-adaptive");

  /** The sides that the case cnn can have. */
  static final List<String> SIDES =
      List.of("uniform", "self-adaptive", "ata-empirical", "adaptive", "greedy");

  /**
   * Where a training was.
   *
   * @param seconds since the call
   * @param workerSeconds of all kernels so far
   * @param droppedSeconds the part of these whose results were dropped
   * @param loss the mean over the same images each time
   */
  record Point(
      int update, double seconds, double workerSeconds, double droppedSeconds, double loss) {}

  /**
   * An executor's part.
   *
   * @param images per round, in the mean over all rounds
   * @param millisPerImage of its kernel; NaN if it had none
   * @param overheadMillis the policy's estimate of what a round costs it besides, less the least of
   *     all executors'; 0 if the policy makes none
   */
  record Share(double images, double millisPerImage, double overheadMillis) {}

  MeasuredCurve curve() {
    return new MeasuredCurve(
        side,
        points.stream()
            .map(one -> new MeasuredCurve.Point(one.seconds(), one.workerSeconds(), one.loss()))
            .toList());
  }

  boolean isOfRing() {
    return caseName.equals(BenchCase.RING.id());
  }

  Point end() {
    return points.get(points.size() - 1);
  }

  /** For the one who waits. */
  String summary() {
    return String.format(
        Locale.ROOT,
        "%s: %.2f ms per round, loss %.4f after %.1f s",
        side,
        medianMillis,
        end().loss(),
        end().seconds());
  }
}
