package io.sparkata.lab.ring;

import io.sparkata.lab.Medians;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.mllib.linalg.Vector;

/**
 * A training in a ring, as its first member saw it. Serialised to the driver.
 *
 * @param setUpSeconds before the first round: addresses are exchanged, neighbours connected
 * @param endSeconds the end of each round, with the set-up
 * @param losses the mean loss of each mini-batch, before its update
 * @param rows by member, in all rounds
 * @param computeSeconds by member, in all rounds
 */
public record RingResult(
    double setUpSeconds,
    List<Double> endSeconds,
    List<Double> losses,
    List<Long> rows,
    List<Double> computeSeconds,
    Vector weights)
    implements Serializable {

  /** The median length of the rounds from {@code round}, counted from 1, to the last. */
  public double medianSecondsFrom(int round) {
    double[] seconds = new double[endSeconds.size() - round + 1];
    for (int i = 0; i < seconds.length; i++) {
      int end = round - 1 + i;
      seconds[i] = endSeconds.get(end) - (end == 0 ? setUpSeconds : endSeconds.get(end - 1));
    }
    return Medians.of(seconds);
  }
}
