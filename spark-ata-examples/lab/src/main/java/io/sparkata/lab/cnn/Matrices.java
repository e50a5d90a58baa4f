package io.sparkata.lab.cnn;

import java.util.Arrays;

/** Products of float matrices, stored as arrays of rows. */
final class Matrices {
  private Matrices() {}

  /**
   * Adds the product of a and b to c.
   *
   * <p>Every inner loop runs over whole rows from index 0 with plain products and sums, because C2
   * vectorises such loops. It does not vectorise loops with Math.fma or offsets.
   *
   * @param c rows of n or more
   * @param a as many rows as c, of k or more
   * @param b k or more rows of n or more
   */
  static void addProduct(float[][] c, float[][] a, float[][] b, int k, int n) {
    int four = k - k % 4;
    for (int l = 0; l < four; l += 4) {
      for (int i = 0; i < c.length; i++) {
        addFourRows(c[i], a[i], l, b[l], b[l + 1], b[l + 2], b[l + 3], n);
      }
    }
    for (int l = four; l < k; l++) {
      for (int i = 0; i < c.length; i++) {
        addRow(c[i], a[i][l], b[l], n);
      }
    }
  }

  private static void addFourRows(
      float[] c, float[] a, int l, float[] b0, float[] b1, float[] b2, float[] b3, int n) {
    float a0 = a[l];
    float a1 = a[l + 1];
    float a2 = a[l + 2];
    float a3 = a[l + 3];
    for (int j = 0; j < n; j++) {
      c[j] += a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
    }
  }

  private static void addRow(float[] c, float a, float[] b, int n) {
    for (int j = 0; j < n; j++) {
      c[j] += a * b[j];
    }
  }

  /** Writes the transpose of the first rows and columns of from to to. */
  static void transpose(float[][] from, float[][] to, int rows, int columns) {
    // Eight rows at a time, to write adjacent values of a target row together.
    for (int first = 0; first < rows; first += 8) {
      int last = Math.min(rows, first + 8);
      for (int j = 0; j < columns; j++) {
        float[] target = to[j];
        for (int i = first; i < last; i++) {
          target[i] = from[i][j];
        }
      }
    }
  }

  static void zero(float[][] matrix) {
    for (float[] row : matrix) {
      Arrays.fill(row, 0);
    }
  }
}
