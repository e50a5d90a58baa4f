package io.sparkata.lab.ring;

import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/**
 * Mini-batch SGD that every member of a ring runs: it sums the gradient over its share of the
 * batch, the ring adds up, and each member updates its own copy of the weights. Round k's batch
 * depends on the seed and k alone, so shares change the clock and not the training, but for
 * rounding. No regularisation. Serialised to executors, where each member has a copy.
 *
 * @param updater may be copied: what it returns depends on its arguments and on its own earlier
 *     calls alone, as with MLlib's updaters
 * @param rows how many there are
 * @param batch of a round, drawn with replacement
 */
public record RingTraining(
    Vector start,
    Gradient gradient,
    Updater updater,
    double step,
    int iterations,
    int rows,
    int batch,
    long seed,
    RingShares shares)
    implements Serializable {

  /**
   * A member's part, from the first round to the last.
   *
   * @param data all rows
   * @param begin where the result's seconds begin, by {@link System#nanoTime}
   */
  RingResult run(Ring ring, RingRows data, long begin) throws IOException {
    int members = ring.members();
    int lossAt = start.size();
    int rowsAt = lossAt + 1;
    int secondsAt = rowsAt + 1;
    double[] ends = new double[iterations];
    double[] losses = new double[iterations];
    long[] rowsByMember = new long[members];
    double[] secondsByMember = new double[members];
    Vector weights = start;
    double setUpSeconds = (System.nanoTime() - begin) / 1e9;
    for (int k = 0; k < iterations; k++) {
      int[] batchRows = sample(k);
      int[] bounds = shares.bounds(batch);
      int[] own = Arrays.copyOfRange(batchRows, bounds[ring.rank()], bounds[ring.rank() + 1]);
      double[] slope = new double[lossAt];
      long computing = System.nanoTime();
      double loss = sum(data, own, weights, slope);
      double[] message = Arrays.copyOf(slope, secondsAt + members);
      message[secondsAt + ring.rank()] = (System.nanoTime() - computing) / 1e9;
      message[lossAt] = loss;
      message[rowsAt] = own.length;
      ring.allReduce(message);
      requireAll(message[rowsAt], k);
      losses[k] = message[lossAt] / batch;
      double[] seconds = Arrays.copyOfRange(message, secondsAt, message.length);
      for (int i = 0; i < members; i++) {
        rowsByMember[i] += bounds[i + 1] - bounds[i];
        secondsByMember[i] += seconds[i];
      }
      shares.observe(bounds, seconds);
      Arrays.setAll(slope, i -> message[i] / batch);
      weights = updater.compute(weights, Vectors.dense(slope), step, k + 1, /* regParam= */ 0)._1();
      ends[k] = (System.nanoTime() - begin) / 1e9;
    }
    requireSame(weights, ring);
    return new RingResult(
        setUpSeconds,
        list(ends),
        list(losses),
        Arrays.stream(rowsByMember).boxed().toList(),
        list(secondsByMember),
        weights);
  }

  private static List<Double> list(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  /** The rows of a round, counted from 0: the same for every member and for any shares. */
  int[] sample(int round) {
    return new SplittableRandom(seed + round).ints(batch, 0, rows).toArray();
  }

  private double sum(RingRows data, int[] some, Vector weights, double[] slope) {
    Vector sum = Vectors.dense(slope);
    double loss = 0;
    for (int index : some) {
      Tuple2<Object, Vector> row = data.apply(index);
      loss += gradient.compute(row._2(), (Double) row._1(), weights, sum);
    }
    return loss;
  }

  private void requireAll(double summed, int round) {
    if (summed != batch) {
      throw new IllegalStateException(
          "Cannot use round " + round + ": " + summed + " rows were summed instead of " + batch);
    }
  }

  /** Compares the bits of all members' weights, by their hash. */
  private static void requireSame(Vector weights, Ring ring) throws IOException {
    double[] hashes = new double[ring.members()];
    hashes[ring.rank()] = Arrays.hashCode(weights.toArray());
    ring.allReduce(hashes);
    if (Arrays.stream(hashes).distinct().count() > 1) {
      throw new IllegalStateException(
          "Cannot use the weights: members differ. The updater must depend on its arguments alone.");
    }
  }
}
