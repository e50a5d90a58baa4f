package io.sparkata.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Both kinds of loops against the definition, one number after the other. */
class DenseLoopsTest {
  private static final int AT = 3;

  @Property(tries = 500)
  void multiply_rowsAnywhere_areTheirProducts(
      @ForAll boolean isVector,
      @ForAll @IntRange(min = 1, max = 150) int width,
      @ForAll @IntRange(min = 1, max = 20) int count,
      @ForAll long seed) {
    Rows rows = new Rows(width, count, seed);
    double[] vector = rows.random(AT + width);
    double[] expected = rows.random(AT + count + 1);
    double[] products = expected.clone();
    for (int i = 0; i < count; i++) {
      expected[AT + i] = 0;
      for (int j = 0; j < width; j++) {
        expected[AT + i] += rows.values[rows.offsets[i] + j] * vector[AT + j];
      }
    }

    DenseLoops loops = loops(isVector);
    double[] lanes = new double[count * loops.lanes()];
    loops.multiply(rows.values, rows.offsets, count, width, vector, AT, lanes, products, AT);

    assertThat(products).containsExactly(expected, within(1e-13 * width));
  }

  @Property(tries = 500)
  void addTo_rowsAnywhere_areTheirSum(
      @ForAll boolean isVector,
      @ForAll @IntRange(min = 1, max = 150) int width,
      @ForAll @IntRange(min = 0, max = 20) int count,
      @ForAll long seed) {
    Rows rows = new Rows(width, Math.max(1, count), seed);
    double[] factors = rows.random(count);
    double[] expected = rows.random(AT + width + 1);
    double[] sum = expected.clone();
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < width; j++) {
        expected[AT + j] += rows.values[rows.offsets[i] + j] * factors[i];
      }
    }

    loops(isVector).addTo(rows.values, rows.offsets, count, width, factors, sum, AT);

    assertThat(sum).containsExactly(expected, within(1e-13 * Math.max(1, count)));
  }

  private static DenseLoops loops(boolean isVector) {
    return isVector ? new VectorDenseLoops() : new DenseLoops();
  }

  /** Rows in any order, some of them twice, some not at all. */
  private static final class Rows {
    private final Random random;
    private final double[] values;
    private final int[] offsets;

    private Rows(int width, int count, long seed) {
      random = new Random(seed);
      values = random(count * width);
      offsets = new int[count];
      Arrays.setAll(offsets, i -> random.nextInt(count) * width);
    }

    private double[] random(int length) {
      return new SplittableRandom(random.nextLong()).doubles(length, -1, 1).toArray();
    }
  }
}
