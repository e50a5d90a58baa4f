package io.sparkata.lab.cnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;

class NetworkGradientTest {
  private static final int SIDE = 8;
  private static final int CLASSES = 4;
  private static final int IMAGES = 5;
  private static final int[] LABELS = {0, 1, 2, 3, 1};

  private final SplittableRandom random = new SplittableRandom(3);
  private final Cnn network = new Cnn(SIDE, CLASSES, IMAGES, random);
  private final float[] pixels = pixels();
  private final NetworkGradient gradient = new NetworkGradient(SIDE, CLASSES);

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

  /** Along the gradient the derivative is the gradient's norm, and less along any other vector. */
  @Test
  void compute_stepAlongTheGradient_changesTheLossByItsNorm() {
    double[] model = network.model();
    double[] slope = new double[model.length];
    loss(gradient, model, slope);
    double norm = Math.sqrt(Arrays.stream(slope).map(one -> one * one).sum());
    double step = 1e-3 / norm;

    double above = loss(gradient, moved(model, slope, step), new double[model.length]);
    double below = loss(gradient, moved(model, slope, -step), new double[model.length]);

    assertThat((above - below) / 2e-3).isCloseTo(norm, within(0.01 * norm));
  }

  @Test
  void compute_copyWithOtherSizesOnTheSameThread_hasItsOwnNetwork() throws Exception {
    double[] model = network.model();
    double before = loss(gradient, model, new double[model.length]);
    Cnn other = new Cnn(SIDE, /* classes= */ 3, /* samples= */ 1, random);
    new NetworkGradient(SIDE, 3)
        .compute(
            image(0), 2, Vectors.dense(other.model()), Vectors.dense(new double[other.size()]));

    assertThat(loss(copy(gradient), model, new double[model.length])).isEqualTo(before);
  }

  @Test
  void loadAndModel_anyValues_areInverse() {
    double[] model = IntStream.range(0, network.size()).mapToDouble(i -> i / 4.0).toArray();

    network.load(model);

    assertThat(network.model()).isEqualTo(model);
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

  private float[] pixels() {
    float[] values = new float[IMAGES * SIDE * SIDE];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  private static double[] moved(double[] from, double[] direction, double step) {
    double[] to = from.clone();
    for (int i = 0; i < to.length; i++) {
      to[i] += step * direction[i];
    }
    return to;
  }

  private static NetworkGradient copy(NetworkGradient original) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(original);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (NetworkGradient) in.readObject();
    }
  }
}
