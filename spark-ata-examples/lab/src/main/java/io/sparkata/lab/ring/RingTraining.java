package io.sparkata.lab.ring;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
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
    int secondsAt = lossAt + 2; // behind the loss and the number of rows
    List<Double> ends = new ArrayList<>();
    List<Double> losses = new ArrayList<>();
    Long[] rowsByMember = new Long[members];
    Double[] secondsByMember = new Double[members];
    Arrays.fill(rowsByMember, 0L);
    Arrays.fill(secondsByMember, 0.0);
    Vector weights = start;
    double setUpSeconds = secondsSince(begin);
    for (int k = 0; k < iterations; k++) {
      int[] bounds = shares.bounds(batch);
      int[] own = Arrays.copyOfRange(sample(k), bounds[ring.rank()], bounds[ring.rank() + 1]);
      double[] slope = new double[lossAt];
      long computing = System.nanoTime();
      double loss = sum(data, own, weights, slope);
      double[] message = Arrays.copyOf(slope, secondsAt + members);
      message[secondsAt + ring.rank()] = secondsSince(computing);
      message[lossAt] = loss;
      message[lossAt + 1] = own.length;
      ring.allReduce(message);
      if (message[lossAt + 1] != batch) {
        throw new IllegalStateException(
            "Cannot use round %d: %s rows were summed instead of %d"
                .formatted(k, message[lossAt + 1], batch));
      }
      losses.add(message[lossAt] / batch);
      double[] seconds = Arrays.copyOfRange(message, secondsAt, message.length);
      Arrays.setAll(rowsByMember, i -> rowsByMember[i] + bounds[i + 1] - bounds[i]);
      Arrays.setAll(secondsByMember, i -> secondsByMember[i] + seconds[i]);
      shares.observe(bounds, seconds);
      Arrays.setAll(slope, i -> message[i] / batch);
      weights = updater.compute(weights, Vectors.dense(slope), step, k + 1, /* regParam= */ 0)._1();
      ends.add(secondsSince(begin));
    }
    requireSame(weights, ring);
    return new RingResult(
        setUpSeconds, ends, losses, List.of(rowsByMember), List.of(secondsByMember), weights);
  }

  private static double secondsSince(long nanoTime) {
    return (System.nanoTime() - nanoTime) / 1e9;
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
