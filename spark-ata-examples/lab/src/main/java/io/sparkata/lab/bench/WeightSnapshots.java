package io.sparkata.lab.bench;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/** Keeps the weights after every so many updates of another updater. Driver only. */
final class WeightSnapshots extends Updater {
  private static final long serialVersionUID = 1L;

  private final Updater updater;
  private final int stride;
  private final List<Vector> kept = new ArrayList<>();
  private int updates;

  WeightSnapshots(Updater updater, int stride) {
    this.updater = updater;
    this.stride = stride;
  }

  @Override
  public Tuple2<Vector, Object> compute(
      Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
    Tuple2<Vector, Object> next = updater.compute(weights, gradient, stepSize, iteration, regParam);
    if (stepSize > 0 && ++updates % stride == 0) {
      kept.add(next._1()); // updaters return new weights each time
    }
    return next;
  }

  /** After update {@code stride}, 2 {@code stride} and so on. */
  List<Vector> kept() {
    return kept;
  }
}
