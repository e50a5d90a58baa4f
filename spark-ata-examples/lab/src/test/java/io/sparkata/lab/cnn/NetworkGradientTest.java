package io.sparkata.lab.cnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkGradientTest {
  private static final int SIDE = 8;
  private static final int CLASSES = 4;
  private static final int IMAGES = 5;
  private static final int[] LABELS = {0, 1, 2, 3, 1};
  private static final double STEP = 2e-3;

  private final SplittableRandom random = new SplittableRandom(3);
  private final Cnn network = new Cnn(SIDE, CLASSES, IMAGES, random);
  private final float[] pixels = pixels(SIDE);
  private final NetworkGradient gradient = new NetworkGradient(SIDE, CLASSES);

  /**
   * Along its own gradient a parameter's derivative is the gradient's norm, and less for any other
   * vector of that norm: so this one figure vouches for all the entries. The sides are even, and
   * odd inside the pooling.
   */
  @ParameterizedTest
  @ValueSource(ints = {8, 28})
  void lossAndGradient_ofEachParameter_isTheDerivative(int side) {
    Cnn one = new Cnn(side, CLASSES, IMAGES, random);
    float[] images = pixels(side);
    one.lossAndGradient(images, LABELS);
    double[] slope = new double[one.size()];
    one.addGradient(slope);
    double[] model = one.model();
    int from = 0;
    for (Parameter parameter : one.parameters()) {
      int to = from + parameter.values().length * parameter.values()[0].length;
      double[] direction = new double[slope.length];
      System.arraycopy(slope, from, direction, from, to - from);
      double norm = Math.sqrt(Arrays.stream(direction).map(value -> value * value).sum());
      assertThat(norm).as("gradient of the parameter at %d", from).isGreaterThan(1e-3);
      one.load(moved(model, direction, STEP / norm));
      double above = one.loss(images, LABELS);
      one.load(moved(model, direction, -STEP / norm));
      double below = one.loss(images, LABELS);
      assertThat((above - below) / (2 * STEP))
          .as("derivative along the gradient of the parameter at %d", from)
          .isCloseTo(norm, within(0.01 * norm));
      from = to;
    }
    assertThat(from).isEqualTo(slope.length);
  }

  @Test
  void compute_allImagesOneByOne_addsTheGradientAndLossOfTheBatch() {
    double[] batch = new double[network.size()];
    double meanLoss = network.lossAndGradient(pixels, LABELS);
    network.addGradient(batch);
    double[] sum = new double[network.size()];
    sum[0] = 7;

    double loss = loss(gradient, network.model(), sum);

    sum[0] -= 7;
    assertThat(loss / IMAGES).isCloseTo(meanLoss, within(1e-6));
    double most = Arrays.stream(batch).map(Math::abs).max().orElseThrow();
    assertThat(most).isGreaterThan(1e-2);
    for (int i = 0; i < sum.length; i++) {
      assertThat(sum[i] / IMAGES).as("weight %d", i).isCloseTo(batch[i], within(1e-5 * most));
    }
  }

  @Test
  void compute_withOtherSizesOnTheSameThread_hasItsOwnNetwork() {
    double[] model = network.model();
    double before = loss(gradient, model, new double[model.length]);
    Cnn other = new Cnn(SIDE, /* classes= */ 3, /* samples= */ 1, random);
    new NetworkGradient(SIDE, 3)
        .compute(
            image(0), 2, Vectors.dense(other.model()), Vectors.dense(new double[other.size()]));

    assertThat(loss(new NetworkGradient(SIDE, CLASSES), model, new double[model.length]))
        .isEqualTo(before);
  }

  private double loss(NetworkGradient of, double[] model, double[] sum) {
    Vector weights = Vectors.dense(model);
    double loss = 0;
    for (int i = 0; i < IMAGES; i++) {
      loss += of.compute(image(i), LABELS[i], weights, Vectors.dense(sum));
    }
    return loss;
  }

  private Vector image(int i) {
    int size = SIDE * SIDE;
    return Vectors.dense(
        IntStream.range(i * size, (i + 1) * size).mapToDouble(p -> pixels[p]).toArray());
  }

  private float[] pixels(int side) {
    float[] values = new float[IMAGES * side * side];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  private static double[] moved(double[] from, double[] direction, double step) {
    double[] to = new double[from.length];
    Arrays.setAll(to, i -> from[i] + step * direction[i]);
    return to;
  }
}
