package io.sparkata.blocks;

import io.sparkata.blocks.NumberArrays.Doubles;
import java.util.Arrays;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;

/**
 * Dense rows of equal length, row-major: row {@code r} is {@code values[START + r * width .. +
 * width)}.
 */
public final class DenseBlock extends PackedBlock {
  /**
   * Where the first row starts in {@link #values}: at the second cache line (64 bytes). The array's
   * header takes 16 bytes, and G1, ZGC and Shenandoah place a large array at the start of a region.
   * A vector that spans two cache lines takes twice as long to load.
   */
  public static final int START = 6;

  private static final long serialVersionUID = 1L;

  private final int width;
  private final Doubles values;

  /**
   * @param width features per row
   * @param numbers contiguous rows, which are copied; more numbers may follow
   */
  public DenseBlock(long packingId, double[] labels, int width, double[] numbers) {
    super(packingId, labels);
    this.width = width;
    double[] own = new double[START + labels.length * width];
    System.arraycopy(numbers, 0, own, START, labels.length * width);
    this.values = new Doubles(own);
  }

  @Override
  public int width() {
    return width;
  }

  /** The row-major values, from {@link #START} on; not to be changed. */
  public double[] values() {
    return values.values();
  }

  @Override
  public String layout() {
    return "dense";
  }

  @Override
  public Vector features(int row) {
    int from = START + row * width;
    return Vectors.dense(Arrays.copyOfRange(values(), from, from + width));
  }

  @Override
  public long bytes() {
    return labelBytes() + (long) Double.BYTES * (values().length - START);
  }
}
