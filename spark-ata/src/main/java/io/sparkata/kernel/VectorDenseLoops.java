package io.sparkata.kernel;

import java.util.List;
import java.util.stream.IntStream;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * By the vector module. Where rows are added alone their sum stays in registers, four vectors of
 * columns wide; where others are multiplied meanwhile it is loaded for four rows at a time. Where
 * the width is no multiple of a vector's, the last vector takes in columns that were done before,
 * and leaves these out of its result.
 */
final class VectorDenseLoops extends DenseLoops {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_MAX;
  private static final int LANES = SPECIES.length();

  /** At position n, the last n lanes. */
  private static final List<VectorMask<Double>> LAST =
      IntStream.rangeClosed(0, LANES)
          .mapToObj(n -> VectorMask.fromLong(SPECIES, -1L << (LANES - n)))
          .toList();

  VectorDenseLoops() {}

  @Override
  String description() {
    return "vectors of " + SPECIES.vectorBitSize() + " bits";
  }

  @Override
  void multiplyFour(
      double[] values,
      int[] offsets,
      int i0,
      int i1,
      int i2,
      int i3,
      int width,
      double[] vector,
      int at,
      double[] products,
      int to) {
    if (width < LANES) {
      super.multiplyFour(values, offsets, i0, i1, i2, i3, width, vector, at, products, to);
      return;
    }
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
      VectorMask<Double> isNew = LAST.get(width - j);
      j = width - LANES;
      DoubleVector factors = DoubleVector.fromArray(SPECIES, vector, at + j);
      sums0 = sums0.add(DoubleVector.fromArray(SPECIES, values, row0 + j).mul(factors), isNew);
      sums1 = sums1.add(DoubleVector.fromArray(SPECIES, values, row1 + j).mul(factors), isNew);
      sums2 = sums2.add(DoubleVector.fromArray(SPECIES, values, row2 + j).mul(factors), isNew);
      sums3 = sums3.add(DoubleVector.fromArray(SPECIES, values, row3 + j).mul(factors), isNew);
    }
    products[to + i0] = sums0.reduceLanes(VectorOperators.ADD);
    products[to + i1] = sums1.reduceLanes(VectorOperators.ADD);
    products[to + i2] = sums2.reduceLanes(VectorOperators.ADD);
    products[to + i3] = sums3.reduceLanes(VectorOperators.ADD);
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

  @Override
  void addAndMultiply(
      double[] values,
      int[] addedOffsets,
      double[] factors,
      double[] sum,
      int[] offsets,
      int count,
      int width,
      double[] vector,
      double[] products) {
    if (width < LANES || count % 4 != 0) {
      super.addAndMultiply(
          values, addedOffsets, factors, sum, offsets, count, width, vector, products);
      return;
    }
    int apart = count / 4;
    for (int i = 0; i < apart; i++) {
      addAndMultiplyFour(
          values, addedOffsets, factors, sum, offsets, i, apart, width, vector, products);
    }
  }

  /** Rows {@code i} and those {@code apart}, twice and three times as much after it. */
  private static void addAndMultiplyFour(
      double[] values,
      int[] addedOffsets,
      double[] factors,
      double[] sum,
      int[] offsets,
      int i,
      int apart,
      int width,
      double[] vector,
      double[] products) {
    int row0 = offsets[i];
    int row1 = offsets[i + apart];
    int row2 = offsets[i + 2 * apart];
    int row3 = offsets[i + 3 * apart];
    int added0 = addedOffsets[i];
    int added1 = addedOffsets[i + apart];
    int added2 = addedOffsets[i + 2 * apart];
    int added3 = addedOffsets[i + 3 * apart];
    DoubleVector factor0 = DoubleVector.broadcast(SPECIES, factors[i]);
    DoubleVector factor1 = DoubleVector.broadcast(SPECIES, factors[i + apart]);
    DoubleVector factor2 = DoubleVector.broadcast(SPECIES, factors[i + 2 * apart]);
    DoubleVector factor3 = DoubleVector.broadcast(SPECIES, factors[i + 3 * apart]);
    DoubleVector products0 = DoubleVector.zero(SPECIES);
    DoubleVector products1 = products0;
    DoubleVector products2 = products0;
    DoubleVector products3 = products0;
    int j = 0;
    for (; j < SPECIES.loopBound(width); j += LANES) {
      DoubleVector columns = DoubleVector.fromArray(SPECIES, vector, j);
      products0 = DoubleVector.fromArray(SPECIES, values, row0 + j).fma(columns, products0);
      products1 = DoubleVector.fromArray(SPECIES, values, row1 + j).fma(columns, products1);
      products2 = DoubleVector.fromArray(SPECIES, values, row2 + j).fma(columns, products2);
      products3 = DoubleVector.fromArray(SPECIES, values, row3 + j).fma(columns, products3);
      DoubleVector sum0 = DoubleVector.fromArray(SPECIES, sum, j);
      DoubleVector sum1 = DoubleVector.fromArray(SPECIES, values, added0 + j).mul(factor0);
      sum0 = DoubleVector.fromArray(SPECIES, values, added1 + j).fma(factor1, sum0);
      sum1 = DoubleVector.fromArray(SPECIES, values, added2 + j).fma(factor2, sum1);
      sum0 = DoubleVector.fromArray(SPECIES, values, added3 + j).fma(factor3, sum0);
      sum0.add(sum1).intoArray(sum, j);
    }
    if (j < width) {
      VectorMask<Double> isNew = LAST.get(width - j);
      j = width - LANES;
      DoubleVector columns = DoubleVector.fromArray(SPECIES, vector, j);
      products0 =
          products0.add(DoubleVector.fromArray(SPECIES, values, row0 + j).mul(columns), isNew);
      products1 =
          products1.add(DoubleVector.fromArray(SPECIES, values, row1 + j).mul(columns), isNew);
      products2 =
          products2.add(DoubleVector.fromArray(SPECIES, values, row2 + j).mul(columns), isNew);
      products3 =
          products3.add(DoubleVector.fromArray(SPECIES, values, row3 + j).mul(columns), isNew);
      DoubleVector added = DoubleVector.fromArray(SPECIES, values, added0 + j).mul(factor0);
      added = DoubleVector.fromArray(SPECIES, values, added1 + j).fma(factor1, added);
      added = DoubleVector.fromArray(SPECIES, values, added2 + j).fma(factor2, added);
      added = DoubleVector.fromArray(SPECIES, values, added3 + j).fma(factor3, added);
      DoubleVector.fromArray(SPECIES, sum, j).add(added, isNew).intoArray(sum, j);
    }
    products[i] = products0.reduceLanes(VectorOperators.ADD);
    products[i + apart] = products1.reduceLanes(VectorOperators.ADD);
    products[i + 2 * apart] = products2.reduceLanes(VectorOperators.ADD);
    products[i + 3 * apart] = products3.reduceLanes(VectorOperators.ADD);
  }

  /**
   * One vector of the rows' columns, from {@code j} on. Two sums that do not wait for each other.
   */
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
