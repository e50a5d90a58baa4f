package io.sparkata.lab.ring;

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
    implements Serializable {}
