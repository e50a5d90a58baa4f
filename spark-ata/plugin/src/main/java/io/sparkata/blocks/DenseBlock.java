package io.sparkata.blocks;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
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
  private final double[] values;

  /**
   * @param width features per row
   * @param numbers contiguous rows, which are copied; more numbers may follow
   */
  public DenseBlock(long packingId, double[] labels, int width, double[] numbers) {
    super(packingId, labels);
    this.width = width;
    this.values = new double[START + labels.length * width];
    System.arraycopy(numbers, 0, values, START, labels.length * width);
  }

  private DenseBlock(Form form) {
    super(form.packingId, form.labels);
    this.width = form.width;
    this.values = form.values;
  }

  /** For Java's serialization; Kryo copies arrays in one piece by itself. */
  private Object writeReplace() {
    return new Form(this);
  }

  @Override
  public int width() {
    return width;
  }

  /** The row-major values, from {@link #START} on; not to be changed. */
  public double[] values() {
    return values;
  }

  @Override
  public String layout() {
    return "dense";
  }

  @Override
  public Vector features(int row) {
    int from = START + row * width;
    return Vectors.dense(Arrays.copyOfRange(values, from, from + width));
  }

  @Override
  public long bytes() {
    return labelBytes() + (long) Double.BYTES * (values.length - START);
  }

  /** What Java's serialization writes of a block. */
  static final class Form implements Externalizable {
    private static final long serialVersionUID = 1L;

    private long packingId;
    private double[] labels;
    private int width;
    private double[] values;

    /** For Java's serialization. */
    public Form() {}

    Form(DenseBlock block) {
      packingId = block.packingId();
      labels = block.labels();
      width = block.width;
      values = block.values;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeLong(packingId);
      NumberArrays.write(out, labels, 0);
      out.writeInt(width);
      NumberArrays.write(out, values, START);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      packingId = in.readLong();
      labels = NumberArrays.readDoubles(in, 0);
      width = in.readInt();
      values = NumberArrays.readDoubles(in, START);
    }

    private Object readResolve() {
      return new DenseBlock(this);
    }
  }
}
