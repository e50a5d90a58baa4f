package io.sparkata.blocks;

import java.util.Arrays;

/** Assigns a code of one byte to each distinct number, until there are too many of them. */
final class DictionaryEncoder {
  /** A power of two, four times the most numbers, so that searches are short. */
  private static final int SLOT_BITS = 10;

  /** 2^64 over the golden ratio: the top bits of its products spread similar numbers. */
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  /** The hash table: a number's code + 1, 0 for none. */
  private final short[] slots = new short[1 << SLOT_BITS];

  private final double[] table = new double[DictionaryValues.MOST];
  private int different;
  private byte[] codes = new byte[DictionaryValues.MOST];
  private int count;

  /**
   * Adds all numbers, or none if there are too many distinct ones.
   *
   * @return whether they were added
   */
  boolean add(double[] numbers) {
    int before = different;
    int end = Math.addExact(count, numbers.length);
    if (end > codes.length) {
      codes = Arrays.copyOf(codes, Math.max(end, 2 * codes.length));
    }
    for (int i = 0; i < numbers.length; i++) {
      int code = code(numbers[i]);
      if (code == DictionaryValues.MOST) {
        forgetFrom(before);
        return false;
      }
      codes[count + i] = (byte) code;
    }
    count = end;
    return true;
  }

  /**
   * The number's code, a new one if the number is new. Compares bits: 0 and -0 differ, and so may
   * two NaNs.
   */
  private int code(double number) {
    long bits = Double.doubleToRawLongBits(number);
    int slot = (int) ((bits * SPREAD) >>> (Long.SIZE - SLOT_BITS));
    while (slots[slot] != 0) {
      int code = slots[slot] - 1;
      if (Double.doubleToRawLongBits(table[code]) == bits) {
        return code;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    if (different < DictionaryValues.MOST) {
      table[different] = number;
      slots[slot] = (short) (different + 1);
      return different++;
    }
    return DictionaryValues.MOST;
  }

  private void forgetFrom(int first) {
    Arrays.fill(slots, (short) 0);
    different = 0;
    while (different < first) {
      code(table[different]);
    }
  }

  /** Bytes of the numbers so far, encoded. */
  long bytes() {
    return DictionaryValues.bytes(count, different);
  }

  /** The most bytes with {@code more} numbers. */
  long bytesWith(int more) {
    return DictionaryValues.bytes(count + more, Math.min(DictionaryValues.MOST, different + more));
  }

  /** The encoded numbers; the encoder must not be used after. */
  DictionaryValues build() {
    return new DictionaryValues(Arrays.copyOf(codes, count), Arrays.copyOf(table, different));
  }
}
