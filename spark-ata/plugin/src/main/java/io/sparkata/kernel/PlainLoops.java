package io.sparkata.kernel;

import io.sparkata.blocks.SparseBlock;

/** Loops over values that are not encoded. */
final class PlainLoops extends SparseLoops {
  private final double[] values;

  PlainLoops(SparseBlock block) {
    super(block);
    values = block.values();
  }

  @Override
  double product(int begin, int end, double[] vector, int at) {
    int[] indices = this.indices;
    double[] values = this.values;
    double product0 = 0;
    double product1 = 0;
    double product2 = 0;
    double product3 = 0;
    int k = begin;
    for (; k < end - 3; k += 4) {
      product0 += values[k] * vector[at + indices[k]];
      product1 += values[k + 1] * vector[at + indices[k + 1]];
      product2 += values[k + 2] * vector[at + indices[k + 2]];
      product3 += values[k + 3] * vector[at + indices[k + 3]];
    }
    for (; k < end; k++) {
      product0 += values[k] * vector[at + indices[k]];
    }
    return product0 + product1 + (product2 + product3);
  }

  @Override
  void addInTurn(int begin, int end, double factor, double[] sum, int at) {
    int[] indices = this.indices;
    double[] values = this.values;
    for (int k = begin; k < end; k++) {
      sum[at + indices[k]] += factor * values[k];
    }
  }

  @Override
  void addFours(int begin, int end, double factor, double[] sum, int at) {
    int[] indices = this.indices;
    double[] values = this.values;
    for (int k = begin; k < end; k += 4) {
      int index0 = at + indices[k];
      int index1 = at + indices[k + 1];
      int index2 = at + indices[k + 2];
      int index3 = at + indices[k + 3];
      double sum0 = sum[index0] + factor * values[k];
      double sum1 = sum[index1] + factor * values[k + 1];
      double sum2 = sum[index2] + factor * values[k + 2];
      double sum3 = sum[index3] + factor * values[k + 3];
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
    double[] values = this.values;
    double product0 = 0;
    double product1 = 0;
    double product2 = 0;
    double product3 = 0;
    for (int i = 0; i < count; i += 4) {
      int k = begin + i;
      product0 += values[k] * vector[indices[k]];
      product1 += values[k + 1] * vector[indices[k + 1]];
      product2 += values[k + 2] * vector[indices[k + 2]];
      product3 += values[k + 3] * vector[indices[k + 3]];
      int a = added + i;
      int index0 = indices[a];
      int index1 = indices[a + 1];
      int index2 = indices[a + 2];
      int index3 = indices[a + 3];
      double sum0 = sum[index0] + factor * values[a];
      double sum1 = sum[index1] + factor * values[a + 1];
      double sum2 = sum[index2] + factor * values[a + 2];
      double sum3 = sum[index3] + factor * values[a + 3];
      sum[index0] = sum0;
      sum[index1] = sum1;
      sum[index2] = sum2;
      sum[index3] = sum3;
    }
    return product0 + product1 + (product2 + product3);
  }

  @Override
  int valueBytes() {
    return Double.BYTES;
  }

  @Override
  long bits(int k) {
    return Double.doubleToRawLongBits(values[k]);
  }
}
