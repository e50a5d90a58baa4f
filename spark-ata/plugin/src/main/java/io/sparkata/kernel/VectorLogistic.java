package io.sparkata.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * By the vector module, whose exponentials and logarithms are within one unit in the last place.
 * Without branches, which random labels would mispredict.
 */
final class VectorLogistic extends Logistic {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_MAX;

  VectorLogistic() {}

  @Override
  double toMultipliers(double[] margins, double[] labels, int count) {
    double loss = 0;
    int i = 0;
    for (; i < SPECIES.loopBound(count); i += SPECIES.length()) {
      loss += ofVector(margins, labels, i).reduceLanes(VectorOperators.ADD);
    }
    return loss + toMultipliers(margins, labels, i, count);
  }

  @Override
  double toWeighted(double[] margins, double[] labels, double[] weights) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    double loss = 0;
    int i = 0;
    for (; i < SPECIES.loopBound(margins.length); i += SPECIES.length()) {
      DoubleVector losses = ofVector(margins, labels, i);
      DoubleVector weight = DoubleVector.fromArray(SPECIES, weights, i);
      VectorMask<Double> counts = weight.compare(VectorOperators.GT, 0);
      DoubleVector multipliers = DoubleVector.fromArray(SPECIES, margins, i);
      zero.blend(multipliers.mul(weight), counts).intoArray(margins, i);
      loss += zero.blend(losses.mul(weight), counts).reduceLanes(VectorOperators.ADD);
    }
    return loss + toWeighted(margins, labels, weights, i);
  }

  /** The formulas of the loop in {@link Logistic}: replaces the margins and returns the losses. */
  private static DoubleVector ofVector(double[] margins, double[] labels, int at) {
    DoubleVector margin = DoubleVector.fromArray(SPECIES, margins, at);
    DoubleVector label = DoubleVector.fromArray(SPECIES, labels, at);
    DoubleVector power = margin.abs().neg().lanewise(VectorOperators.EXP);
    DoubleVector ofPositive = margin.neg().max(0).add(power.lanewise(VectorOperators.LOG1P));
    VectorMask<Double> isPositive = label.compare(VectorOperators.GT, 0);
    VectorMask<Double> isNegative = margin.compare(VectorOperators.LT, 0);
    DoubleVector numerator = DoubleVector.broadcast(SPECIES, 1).blend(power, isNegative);
    numerator.div(power.add(1)).sub(label).intoArray(margins, at);
    return ofPositive.add(margin).blend(ofPositive, isPositive);
  }
}
