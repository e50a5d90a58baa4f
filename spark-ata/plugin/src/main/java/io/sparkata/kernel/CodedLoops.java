package io.sparkata.kernel;

import io.sparkata.blocks.DictionaryValues;
import io.sparkata.blocks.SparseBlock;

/**
 * Loops over dictionary-encoded values: each value is looked up and is the same number to the last
 * bit.
 */
final class CodedLoops extends SparseLoops {
  private final byte[] codes;
  private final double[] table;

  CodedLoops(SparseBlock block, DictionaryValues coded) {
    super(block);
    codes = coded.codes();
    table = coded.table();
  }

  @Override
  double product(int begin, int end, double[] vector, int at) {
    int[] indices = this.indices;
    byte[] codes = this.codes;
    double[] table = this.table;
    double product0 = 0;
    double product1 = 0;
    double product2 = 0;
    double product3 = 0;
    int k = begin;
    for (; k < end - 3; k += 4) {
      product0 += table[codes[k] & 0xff] * vector[at + indices[k]];
      product1 += table[codes[k + 1] & 0xff] * vector[at + indices[k + 1]];
      product2 += table[codes[k + 2] & 0xff] * vector[at + indices[k + 2]];
      product3 += table[codes[k + 3] & 0xff] * vector[at + indices[k + 3]];
    }
    for (; k < end; k++) {
      product0 += table[codes[k] & 0xff] * vector[at + indices[k]];
    }
    return product0 + product1 + (product2 + product3);
  }

  @Override
  void addInTurn(int begin, int end, double factor, double[] sum, int at) {
    int[] indices = this.indices;
    byte[] codes = this.codes;
    double[] table = this.table;
    for (int k = begin; k < end; k++) {
      sum[at + indices[k]] += factor * table[codes[k] & 0xff];
    }
  }

  @Override
  void addFours(int begin, int end, double factor, double[] sum, int at) {
    int[] indices = this.indices;
    byte[] codes = this.codes;
    double[] table = this.table;
    for (int k = begin; k < end; k += 4) {
      int index0 = at + indices[k];
      int index1 = at + indices[k + 1];
      int index2 = at + indices[k + 2];
      int index3 = at + indices[k + 3];
      double sum0 = sum[index0] + factor * table[codes[k] & 0xff];
      double sum1 = sum[index1] + factor * table[codes[k + 1] & 0xff];
      double sum2 = sum[index2] + factor * table[codes[k + 2] & 0xff];
      double sum3 = sum[index3] + factor * table[codes[k + 3] & 0xff];
      sum[index0] = sum0;
      sum[index1] = sum1;
      sum[index2] = sum2;
      sum[index3] = sum3;
    }
  }

  @Override
  double addFoursAndMultiply(
      int added, double factor, double[] sum, int begin, int count, double[] vector) {
    int[] indices = this.indices;
    byte[] codes = this.codes;
    double[] table = this.table;
    double product0 = 0;
    double product1 = 0;
    double product2 = 0;
    double product3 = 0;
    for (int i = 0; i < count; i += 4) {
      int k = begin + i;
      product0 += table[codes[k] & 0xff] * vector[indices[k]];
      product1 += table[codes[k + 1] & 0xff] * vector[indices[k + 1]];
      product2 += table[codes[k + 2] & 0xff] * vector[indices[k + 2]];
      product3 += table[codes[k + 3] & 0xff] * vector[indices[k + 3]];
      int a = added + i;
      int index0 = indices[a];
      int index1 = indices[a + 1];
      int index2 = indices[a + 2];
      int index3 = indices[a + 3];
      double sum0 = sum[index0] + factor * table[codes[a] & 0xff];
      double sum1 = sum[index1] + factor * table[codes[a + 1] & 0xff];
      double sum2 = sum[index2] + factor * table[codes[a + 2] & 0xff];
      double sum3 = sum[index3] + factor * table[codes[a + 3] & 0xff];
      sum[index0] = sum0;
      sum[index1] = sum1;
      sum[index2] = sum2;
      sum[index3] = sum3;
    }
    return product0 + product1 + (product2 + product3);
  }

  @Override
  int valueBytes() {
    return Byte.BYTES;
  }

  @Override
  long bits(int k) {
    return codes[k];
  }
}
