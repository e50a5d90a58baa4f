package io.sparkata.blocks;

import java.io.Serializable;

/**
 * Numbers of which few differ: a byte for each, its position in a table of the different ones.
 * Indicators, counts, and rows of them that are scaled to one length are such. The numbers are the
 * same to the last bit.
 */
public final class DictionaryValues implements Serializable {
  /** Different numbers that a byte tells apart. */
  static final int MOST = 256;

  private static final long serialVersionUID = 1L;

  private final byte[] codes;
  private final double[] table;

  /**
   * @param codes for each number its position in {@code table}, unsigned
   * @param table the different numbers; both arrays are owned by the codes
   */
  DictionaryValues(byte[] codes, double[] table) {
    this.codes = codes;
    this.table = table;
  }

  /** For each number its position in the table, unsigned; not to be changed. */
  public byte[] codes() {
    return codes;
  }

  /** The different numbers; not to be changed. */
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

  /** Of {@code count} numbers of which {@code different} differ. */
  static long bytes(int count, int different) {
    return count + (long) Double.BYTES * different;
  }
}
