package io.sparkata.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.blocks.CodedBlocks;
import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.MixedBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;

/** Every kernel against the gradient of MLlib that it stands for, asked row by row. */
class KernelsPropertyTest {
  /** Of sparse rows. */
  private static final double[] DENSITIES = {0, 0.05, 0.5, 1};

  enum Loss {
    LOGISTIC,
    MULTINOMIAL,
    LEAST_SQUARES,
    HINGE;

    private static final int CLASSES = 5;
    private static final double[] NO_CLASSES = {
      1e9, -1e8, -1, 0.5, 1.5, 3.999, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
    };

    Gradient gradient() {
      return switch (this) {
        case LOGISTIC -> new LogisticGradient();
        case MULTINOMIAL -> new LogisticGradient(CLASSES);
        case LEAST_SQUARES -> new LeastSquaresGradient();
        case HINGE -> new HingeGradient();
      };
    }

    /** Weights that there are of each feature. */
    int weightsPerFeature() {
      return this == MULTINOMIAL ? CLASSES - 1 : 1;
    }

    double label(Random random) {
      return switch (this) {
        case LEAST_SQUARES -> 10 * random.nextGaussian();
        case MULTINOMIAL ->
            random.nextInt(9) == 0
                ? NO_CLASSES[random.nextInt(NO_CLASSES.length)]
                : random.nextInt(CLASSES + 1); // or none
        default -> random.nextInt(2);
      };
    }
  }

  enum Form {
    DENSE,
    SPARSE,
    /** Sparse rows of few values. */
    CODED,
    MIXED
  }

  @Property(tries = 1000)
  void add_ordinaryNumbers_equalsMllib(
      @ForAll Loss loss,
      @ForAll Form form,
      @ForAll @IntRange(min = 1, max = 40) int width,
      @ForAll @IntRange(min = 1, max = 300) int rows,
      @ForAll boolean isRange,
      @ForAll long seed) {
    check(loss, form, width, rows, isRange, new Random(seed), Numbers.ORDINARY);
  }

  /** Rows of several kilobytes: fewer of them go together, and longer ones in another order. */
  @Property(tries = 60)
  void add_longDenseRows_equalsMllib(
      @ForAll Loss loss,
      @ForAll @IntRange(min = 150, max = 1500) int width,
      @ForAll @IntRange(min = 1, max = 150) int rows,
      @ForAll boolean isRange,
      @ForAll long seed) {
    check(loss, Form.DENSE, width, rows, isRange, new Random(seed), Numbers.ORDINARY);
  }

  /**
   * Rows of none, few and many non-zeros side by side: one is added while another is multiplied.
   */
  @Property(tries = 200)
  void add_longSparseRows_equalsMllib(
      @ForAll Loss loss,
      @ForAll boolean isCoded,
      @ForAll @IntRange(min = 41, max = 400) int width,
      @ForAll @IntRange(min = 1, max = 60) int rows,
      @ForAll boolean isRange,
      @ForAll long seed) {
    Form form = isCoded ? Form.CODED : Form.SPARSE;
    check(loss, form, width, rows, isRange, new Random(seed), Numbers.ORDINARY);
  }

  /**
   * Without the logistic ones, which MLlib cannot do without features: it divides by their number.
   */
  @Property(tries = 100)
  void add_zeroFeatures_equalsMllib(
      @ForAll boolean isHinge,
      @ForAll Form form,
      @ForAll @IntRange(min = 1, max = 30) int rows,
      @ForAll boolean isRange,
      @ForAll long seed) {
    Loss loss = isHinge ? Loss.HINGE : Loss.LEAST_SQUARES;
    check(loss, form, /* width= */ 0, rows, isRange, new Random(seed), Numbers.ORDINARY);
  }

  @Property(tries = 1000)
  void add_extremeMargins_equalsMllib(
      @ForAll Loss loss,
      @ForAll Form form,
      @ForAll @IntRange(min = 1, max = 10) int width,
      @ForAll @IntRange(min = 1, max = 30) int rows,
      @ForAll boolean isRange,
      @ForAll long seed) {
    check(loss, form, width, rows, isRange, new Random(seed), Numbers.EXTREME);
  }

  @Property(tries = 1000)
  void add_infinitiesAndNaN_spreadAsInMllib(
      @ForAll Loss loss,
      @ForAll Form form,
      @ForAll @IntRange(min = 1, max = 70) int width,
      @ForAll @IntRange(min = 1, max = 6) int rows,
      @ForAll boolean isRange,
      @ForAll long seed) {
    check(loss, form, width, rows, isRange, new Random(seed), Numbers.NOT_FINITE);
  }

  /** Of several batches, in which a multiplier of 0 must leave out a row and no other. */
  @Property(tries = 500)
  void add_infinitiesInManyRows_spreadAsInMllib(
      @ForAll Loss loss,
      @ForAll Form form,
      @ForAll @IntRange(min = 8, max = 70) int width,
      @ForAll @IntRange(min = 100, max = 300) int rows,
      @ForAll boolean isRange,
      @ForAll long seed) {
    check(loss, form, width, rows, isRange, new Random(seed), Numbers.INFINITE_NOW_AND_THEN);
  }

  /** Where the random features and weights come from. */
  private enum Numbers {
    ORDINARY {
      @Override
      double feature(Random random) {
        return random.nextInt(5) == 0 ? 0 : random.nextGaussian();
      }

      @Override
      double weight(Random random) {
        return random.nextGaussian();
      }
    },
    /** Margins up to about 10,000, many of them 0 or exactly 1. */
    EXTREME {
      @Override
      double feature(Random random) {
        double[] choice = {0, -0.0, 1, -1, 100, -100, random.nextDouble() * 100, Double.MIN_VALUE};
        return choice[random.nextInt(choice.length)];
      }

      @Override
      double weight(Random random) {
        double[] choice = {0, 1, -1, 10, -10, random.nextDouble() * 10};
        return choice[random.nextInt(choice.length)];
      }
    },
    /** A few among small ones. Large ones, which may cancel, would depend on the order. */
    NOT_FINITE {
      @Override
      double feature(Random random) {
        double[] special = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        return random.nextInt(40) == 0
            ? special[random.nextInt(special.length)]
            : random.nextInt(4) - 1;
      }

      @Override
      double weight(Random random) {
        return random.nextInt(40) == 0 ? Double.POSITIVE_INFINITY : random.nextInt(4) - 1;
      }
    },
    /** So seldom that most columns stay finite, and so are most margins. */
    INFINITE_NOW_AND_THEN {
      @Override
      double feature(Random random) {
        boolean isInfinite = random.nextInt(3000) == 0;
        return isInfinite ? Double.POSITIVE_INFINITY : random.nextInt(4) - 1;
      }

      @Override
      double weight(Random random) {
        return random.nextBoolean() ? -1 : 1;
      }
    };

    abstract double feature(Random random);

    abstract double weight(Random random);
  }

  private static void check(
      Loss loss, Form form, int width, int rows, boolean isRange, Random random, Numbers numbers) {
    Gradient gradient = loss.gradient();
    double[] labels = new double[rows];
    Arrays.setAll(labels, row -> loss.label(random));
    double[] weights = new double[width * loss.weightsPerFeature()];
    Arrays.setAll(weights, i -> numbers.weight(random));
    PackedBlock block = block(form, width, labels, random, numbers);
    int first = isRange ? random.nextInt(rows + 1) : 0;
    int[] range = IntStream.range(first, rows).toArray();
    int[] selected =
        isRange ? range : Arrays.stream(range).filter(row -> random.nextBoolean()).toArray();

    double[] start = new double[weights.length];
    Arrays.setAll(start, i -> random.nextInt(3));
    double[] expected = start.clone();
    double[] sizes = new double[weights.length + 1];
    double expectedLoss = 0;
    for (int row : selected) {
      Vector features = block.features(row);
      expectedLoss +=
          gradient.compute(
              features, block.label(row), Vectors.dense(weights), Vectors.dense(expected));
      addSizes(sizes, loss, sizes(features), weights, block.label(row));
    }

    double[] sum = start.clone();
    double actualLoss =
        Kernels.of(gradient)
            .add(block, isRange ? null : selected, first, selected.length, weights, sum);

    assertSame(actualLoss, expectedLoss, sizes[weights.length], "loss");
    for (int i = 0; i < weights.length; i++) {
      assertSame(sum[i], expected[i], start[i] + sizes[i], "gradient at " + i);
    }
  }

  /**
   * Adds up how large the numbers are that the row's result is made of, before they cancel: what a
   * relative error refers to. The last position is for the loss.
   */
  private static void addSizes(
      double[] sizes, Loss loss, double[] featureSizes, double[] weights, double label) {
    double margin = loss == Loss.MULTINOMIAL ? 1 : 1 + Math.abs(label);
    for (int i = 0; i < weights.length; i++) {
      margin += featureSizes[i % featureSizes.length] * Math.abs(weights[i]);
    }
    for (int i = 0; i < weights.length; i++) {
      sizes[i] += featureSizes[i % featureSizes.length] * margin;
    }
    sizes[weights.length] += loss == Loss.LEAST_SQUARES ? margin * margin : margin;
  }

  /** By feature; those of one that stands twice in a row added up. */
  private static double[] sizes(Vector features) {
    double[] sizes = new double[features.size()];
    if (features instanceof SparseVector sparse) {
      for (int k = 0; k < sparse.indices().length; k++) {
        sizes[sparse.indices()[k]] += Math.abs(sparse.values()[k]);
      }
    } else {
      Arrays.setAll(sizes, i -> Math.abs(features.apply(i)));
    }
    return sizes;
  }

  private static void assertSame(double actual, double expected, double size, String what) {
    if (Double.isNaN(expected) || Double.isInfinite(expected)) {
      assertThat(actual).as(what).isEqualTo(Double.valueOf(expected));
    } else {
      double finite = Double.isFinite(size) ? size : 1000 + Math.abs(expected);
      assertThat(actual).as(what).isCloseTo(expected, within(1e-12 * finite));
    }
  }

  private static PackedBlock block(
      Form form, int width, double[] labels, Random random, Numbers numbers) {
    Vector[] rows = new Vector[labels.length];
    double[] few = new double[256];
    Arrays.setAll(few, i -> numbers.feature(random));
    int jumbled = random.nextInt(4 * rows.length);
    for (int row = 0; row < rows.length; row++) {
      double[] values = new double[width];
      Arrays.setAll(
          values,
          i -> form == Form.CODED ? few[random.nextInt(few.length)] : numbers.feature(random));
      boolean isSparse = form != Form.DENSE && (form != Form.MIXED || random.nextBoolean());
      rows[row] = isSparse ? sparse(values, random, row == jumbled) : Vectors.dense(values);
    }
    return switch (form) {
      case DENSE -> new DenseBlock(1, labels, width, concatenated(rows));
      case SPARSE -> csr(labels, width, rows);
      case CODED -> CodedBlocks.coded(csr(labels, width, rows));
      case MIXED -> new MixedBlock(1, labels, rows, /* featureBytes= */ 0);
    };
  }

  /**
   * Keeps none, few, about half or all of the values, explicit zeros among them.
   *
   * @param isJumbled whether a feature stands twice, or before a lower one
   */
  private static Vector sparse(double[] values, Random random, boolean isJumbled) {
    double density = DENSITIES[random.nextInt(DENSITIES.length)];
    int[] indices =
        IntStream.range(0, values.length).filter(i -> random.nextDouble() < density).toArray();
    double[] kept = Arrays.stream(indices).mapToDouble(i -> values[i]).toArray();
    if (isJumbled && indices.length > 1) {
      int other = random.nextInt(indices.length - 1);
      int last = indices[other + 1];
      indices[other + 1] = indices[other];
      indices[other] = random.nextBoolean() ? last : indices[other];
    }
    return Vectors.sparse(values.length, indices, kept);
  }

  private static double[] concatenated(Vector[] rows) {
    return Arrays.stream(rows).flatMapToDouble(row -> Arrays.stream(row.toArray())).toArray();
  }

  private static SparseBlock csr(double[] labels, int width, Vector[] rows) {
    int[] starts = new int[rows.length + 1];
    int[] indices = new int[rows.length * width];
    double[] values = new double[rows.length * width];
    int at = 0;
    for (int row = 0; row < rows.length; row++) {
      SparseVector sparse = (SparseVector) rows[row];
      for (int k = 0; k < sparse.indices().length; k++) {
        indices[at] = sparse.indices()[k];
        values[at++] = sparse.values()[k];
      }
      starts[row + 1] = at;
    }
    return new SparseBlock(
        1, labels, width, starts, Arrays.copyOf(indices, at), Arrays.copyOf(values, at));
  }
}
