package io.sparkata.data;

import java.util.Arrays;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;

/** Dense rows of equal length, row-major: row {@code r} is {@code values[r * width .. + width)}. */
public final class DenseBlock extends PackedBlock {
  private static final long serialVersionUID = 1L;

  private final int width;
  private final double[] values;

  /**
   * @param width features per row
   * @param values rows x width numbers; owned by the block
   */
  public DenseBlock(long stamp, double[] labels, int width, double[] values) {
    super(stamp, labels);
    this.width = width;
    this.values = values;
  }

  @Override
  public int width() {
    return width;
  }

  /** The row-major values; not to be changed. */
  public double[] values() {
    return values;
  }

  @Override
  public String layout() {
    return "dense";
  }

  @Override
  public Vector features(int row) {
    return Vectors.dense(Arrays.copyOfRange(values, row * width, (row + 1) * width));
  }

  @Override
  public long bytes() {
    return labelBytes() + (long) Double.BYTES * values.length;
  }
}
