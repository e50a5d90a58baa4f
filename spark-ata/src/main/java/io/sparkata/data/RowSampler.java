package io.sparkata.data;

import io.sparkata.spark.SparkInternals;
import java.util.Random;
import org.apache.spark.util.random.BernoulliSampler;

/**
 * The rows that {@code rdd.sample(false, fraction, seed)} takes, without the RDD: Spark's own
 * sampler, fresh for each partition and seed, asked row by row in partition order. Which rows are
 * taken depends on seed, partition and row position only, so any executor may ask.
 */
public final class RowSampler {
  private final double fraction;
  private final long seed;
  private Random seeds;
  private int seedsDrawn;
  private int partition = -1;
  private long position;
  private BernoulliSampler<Object> sampler;

  /**
   * @param fraction share of the rows to take, in (0, 1]
   * @param seed the seed given to {@code sample}
   */
  public RowSampler(double fraction, long seed) {
    this.fraction = fraction;
    this.seed = seed;
    this.seeds = new Random(seed);
  }

  /** Whether every row is taken; then no random number is drawn. */
  public boolean takesAll() {
    return fraction >= 1.0;
  }

  /**
   * Writes the rows taken among {@code from .. to} of {@code block} (positions within the block,
   * ascending) into {@code taken} and returns how many there are. Cheapest when asked in ascending
   * order within a partition: going back starts the partition's sequence again.
   *
   * @param taken room for at least {@code to - from} positions
   */
  public int take(BlockRef block, int from, int to, int[] taken) {
    long start = block.firstRow() + from;
    if (block.partition() != partition || start < position) {
      restart(block.partition());
    }
    for (; position < start; position++) {
      sampler.sample();
    }
    int count = 0;
    for (int row = from; row < to; row++) {
      if (sampler.sample() > 0) {
        taken[count++] = row;
      }
    }
    position += to - from;
    return count;
  }

  private void restart(int newPartition) {
    sampler = new BernoulliSampler<>(fraction, SparkInternals.anyTag());
    sampler.setSeed(seedOf(newPartition));
    partition = newPartition;
    position = 0;
  }

  /** Partition p's seed is the (p + 1)th number that the sample's seed yields. */
  private long seedOf(int wanted) {
    if (wanted < seedsDrawn) {
      seeds = new Random(seed);
      seedsDrawn = 0;
    }
    for (; seedsDrawn < wanted; seedsDrawn++) {
      seeds.nextLong();
    }
    seedsDrawn++;
    return seeds.nextLong();
  }
}
