package io.sparkata.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** By the vector module, with one row in each lane. */
final class VectorSoftmax extends Softmax {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_MAX;

  VectorSoftmax() {}

  @Override
  int lanes() {
    return SPECIES.length();
  }

  @Override
  void normalize(double[] margins, int stride, int count, double[] losses) {
    for (int row = 0; row < count; row += SPECIES.length()) {
      ofVector(margins, stride, row, losses);
    }
  }

  /** The formulas of the loop in {@link Softmax}. */
  private static void ofVector(double[] margins, int stride, int first, double[] losses) {
    DoubleVector shift = DoubleVector.zero(SPECIES);
    DoubleVector largest = DoubleVector.broadcast(SPECIES, -1);
    for (int at = first; at < margins.length; at += stride) {
      DoubleVector margin = DoubleVector.fromArray(SPECIES, margins, at);
      VectorMask<Double> isLarger = margin.compare(VectorOperators.GT, shift);
      shift = shift.blend(margin, isLarger);
      largest = largest.blend(at, isLarger);
    }
    VectorMask<Double> isFirstLargest = largest.compare(VectorOperators.EQ, -1);
    DoubleVector powers = shift.neg().lanewise(VectorOperators.EXP).blend(0, isFirstLargest);
    for (int at = first; at < margins.length; at += stride) {
      DoubleVector margin = DoubleVector.fromArray(SPECIES, margins, at);
      DoubleVector power = margin.sub(shift).lanewise(VectorOperators.EXP);
      power.intoArray(margins, at);
      powers = powers.add(power.blend(0, largest.compare(VectorOperators.EQ, at)));
    }
    DoubleVector all = powers.add(1);
    for (int at = first; at < margins.length; at += stride) {
      DoubleVector.fromArray(SPECIES, margins, at).div(all).intoArray(margins, at);
    }
    DoubleVector logs = powers.lanewise(VectorOperators.LOG1P).add(shift);
    DoubleVector.fromArray(SPECIES, losses, first).add(logs).intoArray(losses, first);
  }
}
