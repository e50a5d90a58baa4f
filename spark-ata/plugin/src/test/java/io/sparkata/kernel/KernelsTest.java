package io.sparkata.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.MixedBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import java.util.List;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KernelsTest {
  private static final double[] LABELS = {0, 1};

  @Test
  void of_gradientsOfMllib_goByTheMargin() {
    assertThat(Kernels.of(new LogisticGradient())).isInstanceOf(MarginKernel.class);
    assertThat(Kernels.of(new LogisticGradient(2))).isInstanceOf(MarginKernel.class);
    assertThat(Kernels.of(new LeastSquaresGradient())).isInstanceOf(MarginKernel.class);
    assertThat(Kernels.of(new HingeGradient())).isInstanceOf(MarginKernel.class);
  }

  @Test
  void kindOf_always_namesTheKernelOrTheGradientsClass() {
    assertThat(Kernels.kindOf(new LogisticGradient())).isEqualTo("logistic");
    assertThat(Kernels.kindOf(new LeastSquaresGradient())).isEqualTo("least-squares");
    assertThat(Kernels.kindOf(new HingeGradient())).isEqualTo("hinge");
    assertThat(Kernels.kindOf(new LogisticGradient(3))).isEqualTo("multinomial");
    assertThat(Kernels.kindOf(new DoubledHinge()))
        .isEqualTo("row by row " + DoubledHinge.class.getName());
  }

  @Test
  void of_threeClasses_isTheMultinomialKernel() {
    Gradient gradient = new LogisticGradient(3);
    PackedBlock block =
        new DenseBlock(1, new double[] {0, 2, 1}, 2, new double[] {1, 2, 3, 4, 5, 6});
    double[] weights = {0.1, 0.2, 0.3, 0.4};
    double[] expected = new double[4];
    double loss = slowly(gradient, block, weights, expected);

    double[] sum = new double[4];
    GradientKernel kernel = Kernels.of(gradient);

    assertThat(kernel).isInstanceOf(MultinomialKernel.class);
    assertThat(kernel.add(block, null, 0, 3, weights, sum)).isCloseTo(loss, within(1e-15));
    assertThat(sum).containsExactly(expected, within(1e-15));
  }

  @Test
  void add_weightsOfAnotherNumberOfClasses_failsAsMllibDoes() {
    Gradient gradient = new LogisticGradient(3);
    GradientKernel kernel = Kernels.of(gradient);
    PackedBlock block = new DenseBlock(1, new double[] {0, 2}, 2, new double[] {1, 2, 3, 4});
    for (int weights : new int[] {2, 3, 6}) {
      Throwable expected =
          catchThrowable(() -> slowly(gradient, block, new double[weights], new double[weights]));

      assertThatThrownBy(
              () -> kernel.add(block, null, 0, 2, new double[weights], new double[weights]))
          .isInstanceOf(expected.getClass())
          .hasMessage(expected.getMessage());
    }
  }

  @Test
  void of_subclass_goesRowByRowAndComputesWhatItComputes() {
    GradientKernel kernel = Kernels.of(new DoubledHinge());
    PackedBlock block = new DenseBlock(1, new double[] {1}, 2, new double[] {3, 4});
    double[] sum = {10, 20};

    assertThat(kernel).isInstanceOf(RowByRowKernel.class);
    assertThat(kernel.add(block, null, 0, 1, new double[2], sum)).isEqualTo(2);
    assertThat(sum).containsExactly(10 - 3, 20 - 4);
  }

  @Test
  void of_userGradient_goesRowByRow() {
    assertThat(Kernels.of(new LabelGradient())).isInstanceOf(RowByRowKernel.class);
  }

  @Test
  void add_rowsGiven_takesTheseAndAddsIntoTheSum() {
    for (Gradient gradient : List.of(new LeastSquaresGradient(), new LabelGradient())) {
      assertThat(added(gradient, new int[] {1, 3, 99}, /* first= */ 0, /* before= */ 0.5))
          .isEqualTo(0.5 - 20 - 4000);
    }
  }

  /** The sum after two of four rows. */
  private static double added(Gradient gradient, int[] rows, int first, double before) {
    PackedBlock block =
        new DenseBlock(1, new double[] {1, 2, 3, 4}, 1, new double[] {1, 10, 100, 1000});
    double[] sum = {before};
    Kernels.of(gradient).add(block, rows, first, /* count= */ 2, new double[1], sum);
    return sum[0];
  }

  @Test
  void add_range_takesRowsFromFirstOn() {
    for (Gradient gradient : List.of(new LeastSquaresGradient(), new LabelGradient())) {
      assertThat(added(gradient, null, /* first= */ 1, /* before= */ 0)).isEqualTo(-20 - 300);
    }
  }

  @Test
  void add_noRows_addsNothing() {
    PackedBlock block = new DenseBlock(1, LABELS, 1, new double[] {1, 2});
    double[] sum = {7};

    assertThat(Kernels.of(new LogisticGradient()).add(block, null, 1, 0, new double[1], sum))
        .isZero();
    assertThat(sum).containsExactly(7);
  }

  @Test
  void add_always_leavesTheWeights() {
    double[] weights = {1, 2};
    PackedBlock block = new DenseBlock(1, LABELS, 2, new double[] {1, 2, 3, 4});

    Kernels.of(new LeastSquaresGradient()).add(block, null, 0, 2, weights, new double[2]);

    assertThat(weights).containsExactly(1, 2);
  }

  static List<PackedBlock> blocksOfWidthTwo() {
    Vector[] rows = {Vectors.dense(1, 2), Vectors.sparse(2, new int[] {1}, new double[] {3})};
    return List.of(
        new DenseBlock(1, LABELS, 2, new double[] {1, 2, 3, 4}),
        new SparseBlock(1, LABELS, 2, new int[] {0, 1, 2}, new int[] {0, 1}, new double[] {1, 2}),
        new MixedBlock(1, LABELS, rows, /* featureBytes= */ 0));
  }

  @ParameterizedTest
  @MethodSource("blocksOfWidthTwo")
  void add_otherWidthThanTheWeights_throwsWhatMllibThrows(PackedBlock block) {
    for (Gradient gradient :
        List.of(new LogisticGradient(), new LeastSquaresGradient(), new HingeGradient())) {
      for (int width : new int[] {0, 1, 3, 4}) {
        double[] weights = new double[width];
        Throwable mllibs =
            catchThrowable(() -> slowly(gradient, block, weights, new double[width]));

        assertThat(mllibs).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                () -> Kernels.of(gradient).add(block, null, 0, 2, weights, new double[width]))
            .hasSameClassAs(mllibs)
            .hasMessage(mllibs.getMessage());
      }
    }
  }

  @Test
  void backend_withTheVectorModule_saysHowLongVectorsAre() {
    assertThat(Kernels.backend()).matches("vectors of (128|256|512) bits");
    assertThat(new DenseLoops().description()).isEqualTo("plain Java loops");
  }

  @Test
  void add_aFeatureTwiceInARow_addsBoth() {
    int[] indices = {0, 1, 2, 3, 4, 4, 5, 6, 7};
    double[] values = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    SparseBlock block = new SparseBlock(1, new double[] {2}, 9, new int[] {0, 9}, indices, values);
    double[] weights = {1, 1, 1, 1, -1, 0, 1, 0, 9};
    double[] expected = new double[9];
    slowly(new LeastSquaresGradient(), block, weights, expected);

    double[] sum = new double[9];
    Kernels.of(new LeastSquaresGradient()).add(block, null, 0, 1, weights, sum);

    assertThat(expected[4]).isEqualTo((1 + 2 + 4 + 8 - 48 + 128 - 2) * 48);
    assertThat(sum).containsExactly(expected, within(1e-12));
  }

  private static double slowly(
      Gradient gradient, PackedBlock block, double[] weights, double[] sum) {
    double loss = 0;
    for (int row = 0; row < block.rows(); row++) {
      loss +=
          gradient.compute(
              block.features(row), block.label(row), Vectors.dense(weights), Vectors.dense(sum));
    }
    return loss;
  }

  private static final class DoubledHinge extends HingeGradient {
    private static final long serialVersionUID = 1L;

    @Override
    public double compute(Vector data, double label, Vector weights, Vector sum) {
      return 2 * super.compute(data, label, weights, sum);
    }
  }

  /** Subtracts label times features. */
  private static final class LabelGradient extends Gradient {
    private static final long serialVersionUID = 1L;

    @Override
    public double compute(Vector data, double label, Vector weights, Vector sum) {
      double[] total = sum.toArray();
      for (int i = 0; i < total.length; i++) {
        total[i] -= label * data.apply(i);
      }
      return label;
    }
  }
}
