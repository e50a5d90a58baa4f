package io.sparkata.tools.demo;

import io.sparkata.tools.Medians;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/**
 * An updater that ends a training at a time budget, with stock MLlib and with Spark ATA alike. Once
 * the budget is spent it returns the weights unchanged, and a training with the tolerance {@link
 * #TOLERANCE} takes that, and nothing else, for convergence. The round in which the budget ends
 * thus gives the final loss, as the last round of any training with MLlib does.
 *
 * <p>The updater notes the time of each call, one per round, and keeps the weights, so that sides
 * with different numbers of rounds can be compared after equally many. Driver only; the training
 * calls it, and another thread may ask how far it is.
 */
final class BudgetUpdater extends Updater {
  /** The convergence tolerance that only unchanged weights meet. */
  static final double TOLERANCE = Double.MIN_NORMAL;

  private static final long serialVersionUID = 1L;

  private final Updater updater;
  private final transient LongSupplier clock;
  private final long begin;
  private final long budgetNanos;
  private final int mostKept;
  private final List<Double> roundEnds = new CopyOnWriteArrayList<>();
  private final transient List<Vector> weightsAfter = new ArrayList<>();
  private int updates;
  private double regularisation;

  /**
   * Starts the clock.
   *
   * @param updater computes the updates
   * @param seconds the budget; at least one update is made whatever it takes
   * @param clock in nanoseconds
   * @param mostKept the weights after so many first updates are kept
   */
  BudgetUpdater(Updater updater, double seconds, LongSupplier clock, int mostKept) {
    this.updater = updater;
    this.clock = clock;
    this.begin = clock.getAsLong();
    this.budgetNanos = (long) (seconds * 1e9);
    this.mostKept = mostKept;
  }

  @Override
  public Tuple2<Vector, Object> compute(
      Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
    if (stepSize == 0) { // MLlib asks for the first regularisation value
      return updater.compute(weights, gradient, stepSize, iteration, regParam);
    }
    long taken = clock.getAsLong() - begin;
    roundEnds.add(taken / 1e9);
    if (updates > 0 && taken >= budgetNanos) {
      return new Tuple2<>(weights, regularisation);
    }
    Tuple2<Vector, Object> updated =
        updater.compute(weights, gradient, stepSize, iteration, regParam);
    regularisation = (Double) updated._2();
    updates++;
    if (weightsAfter.size() < mostKept) {
      weightsAfter.add(updated._1());
    }
    return updated;
  }

  int updates() {
    return updates;
  }

  /** How many rounds have ended. Any thread. */
  int rounds() {
    return roundEnds.size();
  }

  /** Seconds of a round, counted from 1; the first also holds what comes before it. Any thread. */
  double secondsOf(int round) {
    return roundEnds.get(round - 1) - (round == 1 ? 0 : roundEnds.get(round - 2));
  }

  /** Seconds from the start of the clock to the end of each round. */
  List<Double> roundEnds() {
    return List.copyOf(roundEnds);
  }

  /** The median time of the rounds from one, counted from 1, on. */
  static double medianSeconds(List<Double> roundEnds, int from) {
    double[] seconds = new double[roundEnds.size() - from + 1];
    for (int i = 0; i < seconds.length; i++) {
      int round = from - 1 + i;
      seconds[i] = roundEnds.get(round) - (round == 0 ? 0 : roundEnds.get(round - 1));
    }
    return Medians.of(seconds);
  }

  /** The number of first updates whose weights were kept. */
  int kept() {
    return weightsAfter.size();
  }

  /** The weights after an update, counted from 1, that were kept. */
  Vector weightsAfter(int update) {
    return weightsAfter.get(update - 1);
  }
}
