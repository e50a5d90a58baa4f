package io.sparkata.blocks;

import io.sparkata.spark.ExecutorInternals;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.util.random.BernoulliSampler;

/**
 * The rows that {@code rdd.sample(false, fraction, seed)} takes, without the RDD: it runs Spark's
 * own sampler anew for each partition and seed, row by row in partition order. Which rows are taken
 * depends on seed, partition and row position only, so any executor can draw them.
 *
 * <p>A partition's rows are drawn once, as far as they are needed, and the taken ones are kept: 8
 * bytes each. Thread safe, for the tasks of a round in one JVM ({@link SharedSampler}).
 */
public final class RowSampler {
  private static final int FIRST_ROOM = 256;

  private final double fraction;
  private final Random seeds;
  private final Map<Integer, Sequence> sequences = new ConcurrentHashMap<>();
  private long[] seedOfPartition = {};
  private int seedsDrawn;

  /**
   * @param fraction share of the rows to take, in (0, 1]
   * @param seed the seed given to {@code sample}
   */
  public RowSampler(double fraction, long seed) {
    this.fraction = fraction;
    this.seeds = new Random(seed);
  }

  /** Whether every row is taken; then no random number is drawn. */
  public boolean takesAll() {
    return fraction >= 1.0;
  }

  /**
   * Writes the rows taken among {@code from .. to} of {@code block} (positions within the block,
   * ascending) into {@code taken} and returns how many there are.
   *
   * @param taken array of at least {@code to - from} positions
   */
  public int take(BlockRef block, int from, int to, int[] taken) {
    return sequences
        .computeIfAbsent(block.partition(), partition -> new Sequence(seedOf(partition)))
        .take(block.firstRow(), from, to, taken);
  }

  /** Rows for which a number was drawn, in all partitions. */
  long rowsDrawn() {
    return sequences.values().stream().mapToLong(Sequence::rowsDrawn).sum();
  }

  /** Partition p's seed is the (p + 1)th number that the sample's seed yields. */
  private synchronized long seedOf(int partition) {
    if (partition >= seedOfPartition.length) {
      seedOfPartition = Arrays.copyOf(seedOfPartition, Math.max(partition + 1, 2 * seedsDrawn));
    }
    for (; seedsDrawn <= partition; seedsDrawn++) {
      seedOfPartition[seedsDrawn] = seeds.nextLong();
    }
    return seedOfPartition[partition];
  }

  /** The drawn rows of one partition. */
  private final class Sequence {
    private final BernoulliSampler<Object> sampler;
    private long drawn;
    private long[] rows = new long[FIRST_ROOM];
    private int size;

    Sequence(long seed) {
      sampler = new BernoulliSampler<>(fraction, ExecutorInternals.anyTag());
      sampler.setSeed(seed);
    }

    synchronized int take(long firstRow, int from, int to, int[] taken) {
      draw(firstRow + to);
      int found = Arrays.binarySearch(rows, 0, size, firstRow + from);
      int next = found < 0 ? -found - 1 : found;
      int count = 0;
      for (; next < size && rows[next] < firstRow + to; next++) {
        taken[count++] = (int) (rows[next] - firstRow);
      }
      return count;
    }

    private void draw(long end) {
      for (; drawn < end; drawn++) {
        if (sampler.sample() > 0) {
          rows = size < rows.length ? rows : Arrays.copyOf(rows, 2 * size);
          rows[size++] = drawn;
        }
      }
    }

    synchronized long rowsDrawn() {
      return drawn;
    }
  }
}
