package io.sparkata.blocks;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;

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
      byte[] bytes = new byte[PIECE_BYTES];
      DoubleBuffer piece = inOrder(bytes).asDoubleBuffer();
      out.writeInt(values.length);
      int count;
      for (int i = 0; i < values.length; i += count) {
        count = Math.min(piece.capacity(), values.length - i);
        piece.clear().put(values, i, count);
        out.write(bytes, 0, count * Double.BYTES);
      }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      byte[] bytes = new byte[PIECE_BYTES];
      DoubleBuffer piece = inOrder(bytes).asDoubleBuffer();
      values = new double[in.readInt()];
      int count;
      for (int i = 0; i < values.length; i += count) {
        count = Math.min(piece.capacity(), values.length - i);
        in.readFully(bytes, 0, count * Double.BYTES);
        piece.clear().get(values, i, count);
      }
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
      byte[] bytes = new byte[PIECE_BYTES];
      IntBuffer piece = inOrder(bytes).asIntBuffer();
      out.writeInt(values.length);
      int count;
      for (int i = 0; i < values.length; i += count) {
        count = Math.min(piece.capacity(), values.length - i);
        piece.clear().put(values, i, count);
        out.write(bytes, 0, count * Integer.BYTES);
      }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      byte[] bytes = new byte[PIECE_BYTES];
      IntBuffer piece = inOrder(bytes).asIntBuffer();
      values = new int[in.readInt()];
      int count;
      for (int i = 0; i < values.length; i += count) {
        count = Math.min(piece.capacity(), values.length - i);
        in.readFully(bytes, 0, count * Integer.BYTES);
        piece.clear().get(values, i, count);
      }
    }
  }

  /** One byte order for all machines: that of most. */
  private static ByteBuffer inOrder(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
