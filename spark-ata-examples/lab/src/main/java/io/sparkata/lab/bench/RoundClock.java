package io.sparkata.lab.bench;

import io.sparkata.lab.Medians;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/**
 * Times the rounds of a training, or of plain jobs, without the updater's own time. The first do
 * not count. Driver only.
 */
final class RoundClock extends Updater {
  /** The rounds that do not count: rows are packed, a crew is formed, speeds are learned. */
  static final int WARM_UP = 20;

  private static final double P90 = 0.9;
  private static final long serialVersionUID = 1L;

  private final Updater updater = new SquaredL2Updater();
  private final int rounds;
  private final transient Supplier<JvmTimes> cpu;
  private final List<Double> seconds = new ArrayList<>();
  private transient JvmTimes cpuBefore;
  private transient JvmTimes cpuAfter;
  private transient StolenTime stolenBefore;
  private transient StolenTime stolenAfter;
  private long begin;

  /**
   * @param rounds that count
   * @param cpu read at the end of the last round that does not count, and of the last that does
   */
  RoundClock(int rounds, Supplier<JvmTimes> cpu) {
    this.rounds = rounds;
    this.cpu = cpu;
  }

  /** Of the training, those included that do not count. */
  int allRounds() {
    return WARM_UP + rounds;
  }

  @Override
  public Tuple2<Vector, Object> compute(
      Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
    if (stepSize > 0) { // 0 is MLlib's question for the first regularisation value
      end();
    }
    Tuple2<Vector, Object> next = updater.compute(weights, gradient, stepSize, iteration, regParam);
    begin();
    return next;
  }

  void begin() {
    begin = System.nanoTime();
  }

  void end() {
    seconds.add((System.nanoTime() - begin) / 1e9);
    if (seconds.size() == WARM_UP) {
      stolenBefore = StolenTime.now();
      cpuBefore = cpu.get();
    } else if (seconds.size() == allRounds()) {
      cpuAfter = cpu.get();
      stolenAfter = StolenTime.now();
    }
  }

  /**
   * The figures, after the last round.
   *
   * @param residentShare of Spark ATA's rounds, those that were no jobs
   */
  OverheadTurn turn(double residentShare) {
    List<Double> sorted = seconds.subList(WARM_UP, allRounds()).stream().sorted().toList();
    return new OverheadTurn(
        1e3 * Medians.of(sorted, Double::doubleValue),
        1e3 * sorted.get((int) Math.ceil(P90 * rounds) - 1),
        (cpuAfter.driver() - cpuBefore.driver()) / rounds,
        (cpuAfter.executor() - cpuBefore.executor()) / rounds,
        residentShare,
        stolenAfter.shareSince(stolenBefore));
  }
}
