package io.sparkata.kernel;

import java.util.List;
import java.util.stream.IntStream;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Loops by the vector module. Rows are added four vectors of columns at a time, whose sums stay in
 * registers. If the width is not a multiple of a vector's length, the last vector overlaps columns
 * that are done and masks them.
 */
final class VectorDenseLoops extends DenseLoops {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_MAX;
  private static final int LANES = SPECIES.length();

  /** The mask at position n selects the last n lanes. */
  private static final List<VectorMask<Double>> LAST =
      IntStream.rangeClosed(0, LANES)
          .mapToObj(n -> VectorMask.fromLong(SPECIES, -1L << (LANES - n)))
          .toList();

  VectorDenseLoops() {}

  @Override
  int lanes() {
    return LANES;
  }

  @Override
  String description() {
    return "vectors of " + SPECIES.vectorBitSize() + " bits";
  }

  /**
   * {@inheritDoc}
   *
   * <p>Each row yields a vector of partial sums, which are reduced for all rows at the end. That is
   * faster than reducing the lanes of each register (docs/decisions/20-dense-kernels.md).
   */
  @Override
  void multiply(
      double[] values,
      int[] offsets,
      int count,
      int width,
      double[] vector,
      int at,
      double[] lanes,
      double[] products,
      int to) {
    if (width < LANES) {
      super.multiply(values, offsets, count, width, vector, at, lanes, products, to);
      return;
    }
    VectorMask<Double> isNew = LAST.get(width % LANES);
    int apart = (count + 3) / 4;
    for (int i0 = 0; i0 < apart; i0++) {
      int i1 = Math.min(i0 + apart, count - 1);
      int i2 = Math.min(i0 + 2 * apart, count - 1);
      int i3 = Math.min(i0 + 3 * apart, count - 1);
      int row0 = offsets[i0];
      int row1 = offsets[i1];
      int row2 = offsets[i2];
      int row3 = offsets[i3];
      DoubleVector sums0 = DoubleVector.zero(SPECIES);
      DoubleVector sums1 = sums0;
      DoubleVector sums2 = sums0;
      DoubleVector sums3 = sums0;
      int j = 0;
      for (; j < SPECIES.loopBound(width); j += LANES) {
        DoubleVector factors = DoubleVector.fromArray(SPECIES, vector, at + j);
        sums0 = DoubleVector.fromArray(SPECIES, values, row0 + j).fma(factors, sums0);
        sums1 = DoubleVector.fromArray(SPECIES, values, row1 + j).fma(factors, sums1);
        sums2 = DoubleVector.fromArray(SPECIES, values, row2 + j).fma(factors, sums2);
        sums3 = DoubleVector.fromArray(SPECIES, values, row3 + j).fma(factors, sums3);
      }
      if (j < width) {
        j = width - LANES;
        DoubleVector factors = DoubleVector.fromArray(SPECIES, vector, at + j);
        sums0 = sums0.add(DoubleVector.fromArray(SPECIES, values, row0 + j).mul(factors), isNew);
        sums1 = sums1.add(DoubleVector.fromArray(SPECIES, values, row1 + j).mul(factors), isNew);
        sums2 = sums2.add(DoubleVector.fromArray(SPECIES, values, row2 + j).mul(factors), isNew);
        sums3 = sums3.add(DoubleVector.fromArray(SPECIES, values, row3 + j).mul(factors), isNew);
      }
      sums0.intoArray(lanes, i0 * LANES);
      sums1.intoArray(lanes, i1 * LANES);
      sums2.intoArray(lanes, i2 * LANES);
      sums3.intoArray(lanes, i3 * LANES);
    }
    addLanes(lanes, count, products, to);
  }

  private static void addLanes(double[] lanes, int count, double[] products, int to) {
    for (int i = 0; i < count; i++) {
      double even = 0;
      double odd = 0;
      for (int k = 0; k < LANES; k += 2) {
        even += lanes[i * LANES + k];
        odd += lanes[i * LANES + k + 1];
      }
      products[to + i] = even + odd;
    }
  }

  @Override
  void addTo(
      double[] values,
      int[] offsets,
      int count,
      int width,
      double[] factors,
      double[] sum,
      int at) {
    if (width < LANES) {
      super.addTo(values, offsets, count, width, factors, sum, at);
      return;
    }
    int j = 0;
    for (; j <= width - 4 * LANES; j += 4 * LANES) {
      DoubleVector sum0 = DoubleVector.fromArray(SPECIES, sum, at + j);
      DoubleVector sum1 = DoubleVector.fromArray(SPECIES, sum, at + j + LANES);
      DoubleVector sum2 = DoubleVector.fromArray(SPECIES, sum, at + j + 2 * LANES);
      DoubleVector sum3 = DoubleVector.fromArray(SPECIES, sum, at + j + 3 * LANES);
      for (int i = 0; i < count; i++) {
        DoubleVector factor = DoubleVector.broadcast(SPECIES, factors[i]);
        int from = offsets[i] + j;
        sum0 = DoubleVector.fromArray(SPECIES, values, from).fma(factor, sum0);
        sum1 = DoubleVector.fromArray(SPECIES, values, from + LANES).fma(factor, sum1);
        sum2 = DoubleVector.fromArray(SPECIES, values, from + 2 * LANES).fma(factor, sum2);
        sum3 = DoubleVector.fromArray(SPECIES, values, from + 3 * LANES).fma(factor, sum3);
      }
      sum0.intoArray(sum, at + j);
      sum1.intoArray(sum, at + j + LANES);
      sum2.intoArray(sum, at + j + 2 * LANES);
      sum3.intoArray(sum, at + j + 3 * LANES);
    }
    for (; j <= width - LANES; j += LANES) {
      DoubleVector all = DoubleVector.fromArray(SPECIES, sum, at + j);
      all.add(columns(values, offsets, count, factors, j)).intoArray(sum, at + j);
    }
    if (j < width) {
      VectorMask<Double> isNew = LAST.get(width - j);
      j = width - LANES;
      DoubleVector all = DoubleVector.fromArray(SPECIES, sum, at + j);
      all.add(columns(values, offsets, count, factors, j), isNew).intoArray(sum, at + j);
    }
  }

  /** One vector of the rows' columns from {@code j} on, by two independent sums. */
  private static DoubleVector columns(
      double[] values, int[] offsets, int count, double[] factors, int j) {
    DoubleVector sum0 = DoubleVector.zero(SPECIES);
    DoubleVector sum1 = sum0;
    int i = 0;
    for (; i < count - 1; i += 2) {
      DoubleVector factor0 = DoubleVector.broadcast(SPECIES, factors[i]);
      DoubleVector factor1 = DoubleVector.broadcast(SPECIES, factors[i + 1]);
      sum0 = DoubleVector.fromArray(SPECIES, values, offsets[i] + j).fma(factor0, sum0);
      sum1 = DoubleVector.fromArray(SPECIES, values, offsets[i + 1] + j).fma(factor1, sum1);
    }
    if (i < count) {
      DoubleVector factor = DoubleVector.broadcast(SPECIES, factors[i]);
      sum0 = DoubleVector.fromArray(SPECIES, values, offsets[i] + j).fma(factor, sum0);
    }
    return sum0.add(sum1);
  }
}
