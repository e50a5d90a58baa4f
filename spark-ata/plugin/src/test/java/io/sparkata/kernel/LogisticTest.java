package io.sparkata.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Against MLlib's formulas, by the JDK's functions. */
class LogisticTest {
  private static final double[] MARGINS =
      DoubleStream.concat(
              DoubleStream.of(
                  0, -0.0, 1e-300, -1e-300, 36, -36, 37, -37, 709, -709, 745, -745, 1e6, -1e6),
              new SplittableRandom(1).doubles(1001, -50, 50))
          .toArray();

  static Stream<Logistic> all() {
    return Stream.of(new Logistic(), Logistic.get());
  }

  @Test
  void get_withTheVectorModule_computesInVectorsWhereThatPays() {
    boolean isVectorised = System.getProperty("os.arch").equals("amd64");
    assertThat(Logistic.get().getClass().getSimpleName())
        .isEqualTo(isVectorised ? "VectorLogistic" : "Logistic");
  }

  @ParameterizedTest
  @MethodSource("all")
  void toMultipliers_anyMargin_areThoseOfMllib(Logistic logistic) {
    for (double label : new double[] {0, 1}) {
      double[] multipliers = MARGINS.clone();
      logistic.toMultipliers(multipliers, labels(label), MARGINS.length);
      for (int i = 0; i < MARGINS.length; i++) {
        double expected = 1 / (1 + Math.exp(-MARGINS[i])) - label;
        assertThat(multipliers[i])
            .as("margin " + MARGINS[i] + ", label " + label)
            .isCloseTo(expected, within(1e-15 * Math.abs(expected) + 1e-16 * label + 1e-307));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void toMultipliers_anyMargin_sumsTheLossesOfMllib(Logistic logistic) {
    for (double label : new double[] {0, 1}) {
      double expected = 0;
      double size = 0;
      for (double margin : MARGINS) {
        double ofPositive = Math.max(-margin, 0) + Math.log1p(Math.exp(-Math.abs(margin)));
        expected += label > 0 ? ofPositive : ofPositive + margin;
        size += Math.abs(margin);
      }
      assertThat(logistic.toMultipliers(MARGINS.clone(), labels(label), MARGINS.length))
          .isCloseTo(expected, within(1e-14 * size));
    }
  }

  /** A loss of 1e-15 must not be lost to rounding next to the 1 of log(1 + x). */
  @ParameterizedTest
  @MethodSource("all")
  void toMultipliers_wellFittedRows_haveTheirSmallLosses(Logistic logistic) {
    for (int margin = 20; margin < 700; margin += 20) {
      double[] margins = new double[16];
      Arrays.fill(margins, margin);
      double[] ones = DoubleStream.generate(() -> 1).limit(16).toArray();
      double expected = 16 * Math.log1p(Math.exp(-margin));
      assertThat(logistic.toMultipliers(margins, ones, 16))
          .isCloseTo(expected, within(1e-14 * expected));
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void toMultipliers_notFinite_showsAsInMllib(Logistic logistic) {
    double infinity = Double.POSITIVE_INFINITY;
    double[] margins = {infinity, -infinity, Double.NaN, infinity, -infinity, Double.NaN, 0, 0};
    double[] labels = {1, 1, 1, 0, 0, 0, 0, 1};
    assertThat(logistic.toMultipliers(margins, labels, margins.length)).isNaN();
    assertThat(margins).containsExactly(0, -1, Double.NaN, 1, 0, Double.NaN, 0.5, -0.5);
  }

  @ParameterizedTest
  @MethodSource("all")
  void toMultipliers_always_leavesWhatIsBeyond(Logistic logistic) {
    for (int count = 0; count < 20; count++) {
      double[] margins = DoubleStream.generate(() -> 7).limit(20).toArray();
      logistic.toMultipliers(margins, new double[20], count);
      assertThat(DoubleStream.of(margins).filter(margin -> margin == 7).count())
          .isEqualTo(20 - count);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void toMultipliers_withWeights_areThoseOfEachRowTimesItsWeight(Logistic logistic) {
    double[] labels = new SplittableRandom(2).ints(MARGINS.length, 0, 2).asDoubleStream().toArray();
    double[] weights = new SplittableRandom(3).doubles(MARGINS.length, 0, 3).toArray();
    double[] multipliers = MARGINS.clone();
    double[] plain = MARGINS.clone();
    double expected = 0;
    for (int i = 0; i < plain.length; i++) {
      expected += weights[i] * Logistic.toMultipliers(plain, labels, i, i + 1);
      plain[i] *= weights[i];
    }

    assertThat(logistic.toMultipliers(multipliers, labels, weights))
        .isCloseTo(expected, within(1e-14 * expected));
    assertThat(multipliers).containsExactly(plain, within(1e-15));
  }

  @ParameterizedTest
  @MethodSource("all")
  void toMultipliers_noWeights_areThoseOfWeightsOfOne(Logistic logistic) {
    double[] none = MARGINS.clone();
    double[] ones = MARGINS.clone();
    double loss = logistic.toMultipliers(none, labels(1), new double[0]);

    assertThat(logistic.toMultipliers(ones, labels(1), labels(1)))
        .isCloseTo(loss, within(1e-14 * loss));
    assertThat(none).isEqualTo(ones);
  }

  /** As Spark: 0 times NaN would be NaN. */
  @ParameterizedTest
  @MethodSource("all")
  void toMultipliers_weightZero_addsNothingWhateverTheMargin(Logistic logistic) {
    double[] margins = new double[19];
    Arrays.fill(margins, Double.NaN);

    assertThat(logistic.toMultipliers(margins, new double[19], new double[19])).isZero();
    assertThat(margins).containsOnly(0);
  }

  private static double[] labels(double label) {
    return DoubleStream.generate(() -> label).limit(MARGINS.length).toArray();
  }
}
