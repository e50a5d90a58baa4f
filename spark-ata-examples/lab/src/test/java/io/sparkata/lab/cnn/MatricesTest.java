package io.sparkata.lab.cnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatricesTest {
  private final SplittableRandom random = new SplittableRandom(1);

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 5, 23})
  void addProduct_anyDepthAndOffset_addsTheProduct(int depth) {
    int offset = 2;
    float[][] a = matrix(3, offset + depth);
    float[][] b = matrix(depth, 7);
    float[][] c = matrix(3, 7);
    double[][] expected = new double[3][7];
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 7; j++) {
        expected[i][j] = c[i][j];
        for (int l = 0; l < depth; l++) {
          expected[i][j] += a[i][offset + l] * b[l][j];
        }
      }
    }

    Matrices.addProduct(c, a, offset, b, depth, 7);

    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 7; j++) {
        assertThat((double) c[i][j]).isCloseTo(expected[i][j], within(1e-5));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 11})
  void transpose_anyHeight_turnsEveryEntry(int rows) {
    float[][] from = matrix(rows, 5);
    float[][] to = new float[5][rows];

    Matrices.transpose(from, to, rows, 5);

    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < 5; j++) {
        assertThat(to[j][i]).isEqualTo(from[i][j]);
      }
    }
  }

  private float[][] matrix(int rows, int columns) {
    float[][] matrix = new float[rows][columns];
    for (float[] row : matrix) {
      for (int j = 0; j < columns; j++) {
        row[j] = (float) random.nextGaussian();
      }
    }
    return matrix;
  }
}
