package io.sparkata.tools.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sparkata.tools.paper.MeasuredCurve;
import java.util.List;

/**
 * One training of the network by one side.
 *
 * @param speeds relative speeds of the cluster's workers
 * @param weights of the network
 * @param images that rounds draw from
 * @param batch images of a round, in the mean
 * @param iterations updates
 * @param medianMillis the median time between updates, in milliseconds
 * @param packSeconds packing, at the beginning of the call; the seconds of the points include it
 * @param residentShare of the rounds, those that went by message
 * @param stolenShare share of the requested CPU time that the hypervisor gave to others
 * @param lossDifference the largest difference between this side's losses of the mini-batches and
 *     those of the first side, as a part of the latter; NaN under greedy, which draws other images
 * @param points the first before any update
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

  /** The sides that the case can have. */
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

  Point end() {
    return points.get(points.size() - 1);
  }
}
