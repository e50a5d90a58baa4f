package io.sparkata.lab.bench;

import io.sparkata.lab.Rounds;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.mllib.linalg.Vector;

/**
 * Where a training of the network was, at {@value #POINTS} updates and before the first: the mean
 * loss over the same images each time, against time and against worker time. The losses are
 * computed after the training, so no clock runs.
 */
final class LossPoints {
  static final int POINTS = 25;
  private static final double[] LOSSES = {0.8, 0.6, 0.5};

  private LossPoints() {}

  /**
   * Adds the points.
   *
   * @param weights after every so many updates
   */
  static void add(Turn turn, CnnRows network, List<Vector> weights, Rounds rounds) {
    List<Double> ends = turn.series().get(Turn.ENDS);
    List<Double> updates = new ArrayList<>(List.of(0.0));
    List<Double> seconds = new ArrayList<>(List.of(0.0));
    List<Double> kernelSeconds = new ArrayList<>(List.of(0.0));
    List<Double> losses = new ArrayList<>(List.of(network.loss(network.start())));
    int stride = ends.size() / weights.size();
    double kernels = 0;
    for (int update = 1; update <= stride * weights.size(); update++) {
      for (Rounds.Worker worker : rounds.all().get(update - 1).workers()) {
        kernels += worker.seconds();
      }
      if (update % stride == 0) {
        updates.add((double) update);
        seconds.add(ends.get(update - 1));
        kernelSeconds.add(kernels);
        losses.add(network.loss(weights.get(update / stride - 1)));
      }
    }
    turn.series().put("pointUpdates", updates);
    turn.series().put("pointSeconds", seconds);
    turn.series().put("pointKernelSeconds", kernelSeconds);
    turn.series().put("pointLosses", losses);
    turn.figures().put("finalLoss", losses.get(losses.size() - 1));
    for (double target : LOSSES) {
      for (int i = 0; i < losses.size(); i++) {
        if (losses.get(i) <= target) {
          turn.figures().put("secondsToLoss" + target, seconds.get(i));
          turn.figures().put("kernelSecondsToLoss" + target, kernelSeconds.get(i));
          break;
        }
      }
    }
  }
}
