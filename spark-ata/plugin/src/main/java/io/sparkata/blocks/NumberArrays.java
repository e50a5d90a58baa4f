package io.sparkata.blocks;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Arrays of numbers that Java's serialization copies in pieces. Number by number, as it would write
 * and read them, takes three to four times as long (measured on blocks of 4 MB). That time is spent
 * by executors that serve blocks to others, often the slowest ones, and by the driver on each sum.
 * Kryo copies arrays in one piece by itself.
 */
public final class NumberArrays {
  /** Bytes of a piece; fits into the first-level cache. */
  private static final int PIECE_BYTES = 8 << 10;

  private NumberArrays() {}

  /** Doubles that arrive with all their bits. */
  public static final class Doubles implements Externalizable {
    private static final long serialVersionUID = 1L;

    private double[] values;

    /** For Java's serialization. */
    public Doubles() {}

    /**
     * @param values owned by this object
     */
    public Doubles(double[] values) {
      this.values = values;
    }

    /** The array itself. */
    public double[] values() {
      return values;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      Copying numbers = (piece, i, n) -> piece.asDoubleBuffer().put(values, i, n);
      write(out, values.length, Double.BYTES, numbers);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      values = new double[in.readInt()];
      Copying numbers = (piece, i, n) -> piece.asDoubleBuffer().get(values, i, n);
      read(in, values.length, Double.BYTES, numbers);
    }
  }

  /** The same of ints. */
  static final class Ints implements Externalizable {
    private static final long serialVersionUID = 1L;

    private int[] values;

    /** For Java's serialization. */
    public Ints() {}

    Ints(int[] values) {
      this.values = values;
    }

    int[] values() {
      return values;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      Copying numbers = (piece, i, n) -> piece.asIntBuffer().put(values, i, n);
      write(out, values.length, Integer.BYTES, numbers);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      values = new int[in.readInt()];
      Copying numbers = (piece, i, n) -> piece.asIntBuffer().get(values, i, n);
      read(in, values.length, Integer.BYTES, numbers);
    }
  }

  /** Copies {@code count} numbers from position {@code i} on into a piece, or out of it. */
  private interface Copying {
    void run(ByteBuffer piece, int i, int count);
  }

  private static void write(ObjectOutput out, int length, int bytesEach, Copying copying)
      throws IOException {
    out.writeInt(length);
    byte[] bytes = new byte[PIECE_BYTES];
    int count;
    for (int i = 0; i < length; i += count) {
      count = Math.min(PIECE_BYTES / bytesEach, length - i);
      copying.run(inOrder(bytes), i, count);
      out.write(bytes, 0, count * bytesEach);
    }
  }

  private static void read(ObjectInput in, int length, int bytesEach, Copying copying)
      throws IOException {
    byte[] bytes = new byte[PIECE_BYTES];
    int count;
    for (int i = 0; i < length; i += count) {
      count = Math.min(PIECE_BYTES / bytesEach, length - i);
      in.readFully(bytes, 0, count * bytesEach);
      copying.run(inOrder(bytes), i, count);
    }
  }

  /** One byte order for all machines: that of most. */
  private static ByteBuffer inOrder(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
