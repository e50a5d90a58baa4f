package io.sparkata.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Both against the definition, which is exact enough where no power overflows. */
class SoftmaxTest {
  @Test
  void get_withTheVectorModule_computesInVectorsWhereThatPays() {
    boolean isVectorised = System.getProperty("os.arch").equals("amd64");
    assertThat(Softmax.get().getClass().getSimpleName())
        .isEqualTo(isVectorised ? "VectorSoftmax" : "Softmax");
  }

  @Property(tries = 500)
  void normalize_anyMargins_areProbabilitiesAndLogarithms(
      @ForAll boolean isVector,
      @ForAll @IntRange(min = 1, max = 12) int classes,
      @ForAll @IntRange(min = 1, max = 20) int count,
      @ForAll @IntRange(min = 0, max = 3) int magnitude,
      @ForAll long seed) {
    Softmax softmax = isVector ? new VectorSoftmax() : new Softmax();
    int stride = (count + softmax.lanes() - 1) / softmax.lanes() * softmax.lanes();
    Random random = new Random(seed);
    double[] margins = new double[classes * stride];
    for (int i = 0; i < margins.length; i++) {
      double margin = random.nextGaussian() * Math.pow(7, magnitude);
      margins[i] = magnitude == 0 ? Math.rint(margin) : margin; // some that are equal
    }
    double[] losses = new double[stride];
    Arrays.fill(losses, 5);
    double[] actual = margins.clone();

    softmax.normalize(actual, stride, count, losses);

    for (int row = 0; row < count; row++) {
      double largest = 0;
      for (int k = 0; k < classes; k++) {
        largest = Math.max(largest, margins[k * stride + row]);
      }
      double powers = Math.exp(-largest);
      for (int k = 0; k < classes; k++) {
        powers += Math.exp(margins[k * stride + row] - largest);
      }
      for (int k = 0; k < classes; k++) {
        double expected = Math.exp(margins[k * stride + row] - largest) / powers;
        assertThat(actual[k * stride + row])
            .isCloseTo(expected, within(1e-14 * expected + Double.MIN_NORMAL));
      }
      double log = largest + Math.log(powers);
      assertThat(losses[row]).isCloseTo(5 + log, within(1e-14 * (5 + log)));
    }
  }

  /**
   * If one class has nearly all probability, the rest must not be lost to rounding next to its 1.
   */
  @Property(tries = 100)
  void normalize_oneClassHasItAll_keepsTheSmallLogarithm(
      @ForAll boolean isVector, @ForAll @IntRange(min = 40, max = 700) int margin) {
    Softmax softmax = isVector ? new VectorSoftmax() : new Softmax();
    double[] margins = new double[2 * softmax.lanes()];
    Arrays.fill(margins, -margin);
    double[] losses = new double[softmax.lanes()];

    softmax.normalize(margins, softmax.lanes(), softmax.lanes(), losses);

    double expected = 2 * Math.exp(-margin);
    assertThat(losses[0]).isCloseTo(expected, within(1e-14 * expected));
  }

  @Property(tries = 50)
  void normalize_marginsBeyondPowers_doNotOverflow(
      @ForAll boolean isVector, @ForAll boolean isFirst) {
    Softmax softmax = isVector ? new VectorSoftmax() : new Softmax();
    int lanes = softmax.lanes();
    double[] margins = new double[2 * lanes];
    Arrays.fill(margins, 0, lanes, isFirst ? 1e6 : -1e6);
    Arrays.fill(margins, lanes, 2 * lanes, isFirst ? 5 : 1e6);
    double[] losses = new double[lanes];

    softmax.normalize(margins, lanes, lanes, losses);

    assertThat(losses).containsOnly(1e6);
    assertThat(Arrays.copyOf(margins, lanes)).containsOnly(isFirst ? 1 : 0);
    assertThat(Arrays.copyOfRange(margins, lanes, 2 * lanes)).containsOnly(isFirst ? 0 : 1);
  }
}
