package io.sparkata.lab.bench;

import io.sparkata.lab.Medians;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One fit by one side, measured on the driver.
 *
 * @param ends seconds from the call to the end of each evaluation
 * @param cpuSeconds of the tasks of each evaluation
 * @param fitSeconds the whole call, all jobs and packing included
 * @param taskSeconds run time of all tasks
 * @param storageBytes storage memory of all executors when the third evaluation ended
 * @param losses by iteration, the first before it; empty for more than one fit
 * @param rounds evaluations that Spark ATA answered
 * @param stolenShare of the CPU time wanted meanwhile, what the hypervisor gave to others; NaN if
 *     unknown
 */
record FitRun(
    List<Double> ends,
    List<Double> cpuSeconds,
    double fitSeconds,
    double taskSeconds,
    long storageBytes,
    List<Double> losses,
    long rounds,
    double stolenShare) {
  /** The evaluations that do not count: blocks are made, packed and moved, and speeds learned. */
  static final int WARM_UP = 3;

  /** The median time from the end of one evaluation to the end of the next, after the first. */
  double medianSeconds() {
    return Medians.of(
        IntStream.range(WARM_UP, ends.size())
            .mapToDouble(i -> ends.get(i) - ends.get(i - 1))
            .toArray());
  }

  /** The median CPU time of an evaluation, of all its tasks. */
  double medianCpuSeconds() {
    return Medians.of(cpuSeconds.subList(WARM_UP, cpuSeconds.size()), Double::doubleValue);
  }

  double finalLoss() {
    return losses.isEmpty() ? Double.NaN : losses.get(losses.size() - 1);
  }

  /**
   * Seconds from the call until a loss was at most so much; NaN if never. A line search evaluates
   * more losses than there are iterations: these are taken to be evenly spread.
   */
  double secondsToLoss(double target) {
    for (int i = 0; i < losses.size(); i++) {
      if (losses.get(i) <= target) {
        int evaluations = (int) Math.ceil((double) (i + 1) * ends.size() / losses.size());
        return ends.get(evaluations - 1);
      }
    }
    return Double.NaN;
  }
}
