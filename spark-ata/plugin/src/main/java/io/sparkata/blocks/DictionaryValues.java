package io.sparkata.blocks;

import java.io.Serializable;

/**
 * Dictionary-encoded numbers: one byte each, its position in a table of the distinct ones. Suits
 * indicators, counts, and rows of them that are scaled to one length. Exact to the last bit.
 */
public final class DictionaryValues implements Serializable {
  /** The most distinct numbers. */
  static final int MOST = 256;

  private static final long serialVersionUID = 1L;

  private final byte[] codes;
  private final double[] table;

  /**
   * @param codes for each number its position in {@code table}, unsigned
   * @param table the distinct numbers; this object owns both arrays
   */
  DictionaryValues(byte[] codes, double[] table) {
    this.codes = codes;
    this.table = table;
  }

  /** For each number its position in the table, unsigned; not to be changed. */
  public byte[] codes() {
    return codes;
  }

  /** The distinct numbers; not to be changed. */
  public double[] table() {
    return table;
  }

  /** Numbers {@code from} to {@code to}, the end excluded, in a new array. */
  double[] decode(int from, int to) {
    double[] numbers = new double[to - from];
    for (int k = from; k < to; k++) {
      numbers[k - from] = table[codes[k] & 0xff];
    }
    return numbers;
  }

  /** Bytes on the heap, without object headers. */
  long bytes() {
    return bytes(codes.length, table.length);
  }

  /** Bytes of {@code count} numbers, {@code different} of them distinct. */
  static long bytes(int count, int different) {
    return count + (long) Double.BYTES * different;
  }
}
