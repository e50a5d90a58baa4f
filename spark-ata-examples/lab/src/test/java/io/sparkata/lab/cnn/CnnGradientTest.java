package io.sparkata.lab.cnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The gradient against finite differences of the loss. */
class CnnGradientTest {
  private static final int SAMPLES = 5;
  private static final double STEP = 2e-3;

  private final SplittableRandom random = new SplittableRandom(3);

  @Test
  void lossAndGradient_evenSide_isTheDerivative() {
    assertGradient(8);
  }

  @Test
  void lossAndGradient_oddSidesInsideThePooling_isTheDerivative() {
    assertGradient(28);
  }

  /**
   * Along its own gradient a parameter's derivative is the gradient's norm, and less for any other
   * vector of that norm: so this one figure vouches for all the entries.
   */
  private void assertGradient(int side) {
    Cnn network = new Cnn(side, 4, SAMPLES, random);
    float[] pixels = new float[SAMPLES * side * side];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (float) random.nextGaussian();
    }
    int[] labels = {0, 1, 2, 3, 1};
    network.lossAndGradient(pixels, labels);
    List<Parameter> parameters = network.parameters();
    List<float[][]> gradients =
        parameters.stream().map(parameter -> copy(parameter.gradient)).toList();
    for (int p = 0; p < parameters.size(); p++) {
      float[][] values = parameters.get(p).values;
      float[][] before = copy(values);
      double norm = norm(gradients.get(p));
      assertThat(norm).as("gradient of parameter %d", p).isGreaterThan(1e-3);
      move(values, before, gradients.get(p), STEP / norm);
      double above = network.lossAndGradient(pixels, labels);
      move(values, before, gradients.get(p), -STEP / norm);
      double below = network.lossAndGradient(pixels, labels);
      move(values, before, gradients.get(p), 0);
      assertThat((above - below) / (2 * STEP))
          .as("derivative along the gradient of parameter %d", p)
          .isCloseTo(norm, within(0.01 * norm));
    }
  }

  private static void move(float[][] values, float[][] from, float[][] direction, double step) {
    for (int i = 0; i < values.length; i++) {
      for (int j = 0; j < values[i].length; j++) {
        values[i][j] = (float) (from[i][j] + step * direction[i][j]);
      }
    }
  }

  private static double norm(float[][] matrix) {
    double sum = 0;
    for (float[] row : matrix) {
      for (float value : row) {
        sum += (double) value * value;
      }
    }
    return Math.sqrt(sum);
  }

  private static float[][] copy(float[][] matrix) {
    float[][] copy = new float[matrix.length][];
    for (int i = 0; i < matrix.length; i++) {
      copy[i] = matrix[i].clone();
    }
    return copy;
  }
}
