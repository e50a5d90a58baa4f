package io.sparkata.blocks;

import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;

/**
 * Arrays of numbers in Java's serialization, copied in pieces: it writes and reads them number by
 * number by itself, which takes three to four times as long (measured on blocks of 4 MB). That time
 * is an executor's which serves its blocks to others, often the slowest there is.
 */
final class NumberArrays {
  /** Bytes of a piece; stays in the first-level cache. */
  private static final int PIECE_BYTES = 8 << 10;

  private NumberArrays() {}

  /** Writes the numbers from position {@code from} on, all their bits. */
  static void write(ObjectOutput out, double[] numbers, int from) throws IOException {
    byte[] bytes = new byte[PIECE_BYTES];
    DoubleBuffer piece = inOrder(bytes).asDoubleBuffer();
    out.writeInt(numbers.length - from);
    int count;
    for (int i = from; i < numbers.length; i += count) {
      count = Math.min(piece.capacity(), numbers.length - i);
      piece.clear().put(numbers, i, count);
      out.write(bytes, 0, count * Double.BYTES);
    }
  }

  /** Reads what {@link #write(ObjectOutput, double[], int)} wrote, behind {@code at} zeros. */
  static double[] readDoubles(ObjectInput in, int at) throws IOException {
    byte[] bytes = new byte[PIECE_BYTES];
    DoubleBuffer piece = inOrder(bytes).asDoubleBuffer();
    double[] numbers = new double[at + in.readInt()];
    int count;
    for (int i = at; i < numbers.length; i += count) {
      count = Math.min(piece.capacity(), numbers.length - i);
      in.readFully(bytes, 0, count * Double.BYTES);
      piece.clear().get(numbers, i, count);
    }
    return numbers;
  }

  static void write(ObjectOutput out, int[] numbers) throws IOException {
    byte[] bytes = new byte[PIECE_BYTES];
    IntBuffer piece = inOrder(bytes).asIntBuffer();
    out.writeInt(numbers.length);
    int count;
    for (int i = 0; i < numbers.length; i += count) {
      count = Math.min(piece.capacity(), numbers.length - i);
      piece.clear().put(numbers, i, count);
      out.write(bytes, 0, count * Integer.BYTES);
    }
  }

  static int[] readInts(ObjectInput in) throws IOException {
    byte[] bytes = new byte[PIECE_BYTES];
    IntBuffer piece = inOrder(bytes).asIntBuffer();
    int[] numbers = new int[in.readInt()];
    int count;
    for (int i = 0; i < numbers.length; i += count) {
      count = Math.min(piece.capacity(), numbers.length - i);
      in.readFully(bytes, 0, count * Integer.BYTES);
      piece.clear().get(numbers, i, count);
    }
    return numbers;
  }

  /** The same order of bytes on all machines, and that of most. */
  private static ByteBuffer inOrder(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
