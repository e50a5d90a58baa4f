package io.sparkata.rounds.crew;

import io.sparkata.blocks.BlockRef;
import io.sparkata.rounds.Summand;
import io.sparkata.spark.Serialized;
import java.io.Serializable;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What an executor needs for its micro-tasks of a round. Serialised to it once a round.
 *
 * @param summand what is summed
 * @param blocks that the executor holds, as a list that can be serialised
 * @param rows of a micro-task
 * @param seed of the executor in this round
 */
record MicroShare<S>(Summand<S> summand, List<BlockRef> blocks, int rows, long seed)
    implements Serializable {

  /**
   * The rows of one micro-task: positions in the concatenated blocks, ascending, none twice; all
   * rows of the blocks if they have no more than asked for. Partial sums of exponential numbers,
   * divided by the last, are sorted uniform numbers, and so need no sorting (Devroye, Non-Uniform
   * Random Variate Generation, V.3).
   *
   * @param number of the micro-task within the executor's round
   */
  long[] draw(int number) {
    long held = blocks.stream().mapToLong(BlockRef::rows).sum();
    long[] drawn = new long[(int) Math.min(rows, held)];
    double[] sums = new double[drawn.length + 1];
    SplittableRandom random = new SplittableRandom(seed + number);
    double sum = 0;
    for (int i = 0; i < sums.length; i++) {
      sum -= Math.log(1 - random.nextDouble());
      sums[i] = sum;
    }
    long choices = held - drawn.length + 1; // plus i, so that none comes twice
    for (int i = 0; i < drawn.length; i++) {
      drawn[i] = i + Math.min(choices - 1, (long) (choices * (sums[i] / sum)));
    }
    return drawn;
  }

  @SuppressWarnings("unchecked") // the driver knows the sum
  static <S> MicroShare<S> of(byte[] bytes) {
    return (MicroShare<S>) Serialized.work(bytes);
  }

  /** The seed of an executor in a round. */
  static long seed(long ofTraining, int round, String executorId) {
    long mixed = new SplittableRandom(ofTraining + round).nextLong();
    return new SplittableRandom(mixed + executorId.hashCode()).nextLong();
  }
}
