package io.sparkata.lab.gpu;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.SparseBlock;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Packed blocks of random rows from a seed. Values and weights are uniform in (-1, 1). */
public final class RandomBlocks {
  private final SplittableRandom random;

  public RandomBlocks(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Dense rows with labels from 0 to {@code classes - 1}. */
  public DenseBlock dense(int rows, int width, int classes) {
    double[] values = numbers((long) rows * width);
    return new DenseBlock(1, labels(rows, classes), width, values);
  }

  /** Sparse rows of {@code nonZeros} values, one in each of as many equal ranges of columns. */
  public SparseBlock sparse(int rows, int width, int nonZeros, int classes) {
    int[] starts = IntStream.rangeClosed(0, rows).map(row -> row * nonZeros).toArray();
    int[] indices = new int[rows * nonZeros];
    for (int k = 0; k < indices.length; k++) {
      int from = (int) ((long) (k % nonZeros) * width / nonZeros);
      int to = (int) ((long) (k % nonZeros + 1) * width / nonZeros);
      indices[k] = random.nextInt(from, to);
    }
    double[] values = numbers(indices.length);
    return new SparseBlock(1, labels(rows, classes), width, starts, indices, values);
  }

  /**
   * The same with dictionary-encoded values.
   *
   * @param different the most distinct values, up to 256
   */
  public SparseBlock coded(int rows, int width, int nonZeros, int classes, int different) {
    SparseBlock plain = sparse(rows, width, nonZeros, classes);
    double[] values = plain.values();
    Arrays.setAll(values, k -> Math.floor(values[k] * different / 2) / different);
    return plain.coded().orElseThrow();
  }

  /** Positions of {@code count} of the rows in ascending order; every set is equally likely. */
  public int[] sample(int rows, int count) {
    int[] positions = new int[count];
    int taken = 0;
    for (int row = 0; row < rows; row++) {
      if (random.nextDouble() * (rows - row) < count - taken) {
        positions[taken++] = row;
      }
    }
    return positions;
  }

  public double[] numbers(long count) {
    return random.doubles(count, -1, 1).toArray();
  }

  private double[] labels(int rows, int classes) {
    return random.ints(rows, 0, classes).asDoubleStream().toArray();
  }
}
