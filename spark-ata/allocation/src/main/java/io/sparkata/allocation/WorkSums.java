package io.sparkata.allocation;

/**
 * Sums over one worker's rounds, enough to estimate its cost f + a s of a round of a units.
 *
 * <p>Least squares weighted by 1 / (a s^2), since the variance of a round's time grows like a s^2:
 * with N rounds, U units, T time, Q the sum of 1/a and R that of time/a, s = (T - f N) / U, and for
 * one f common to all workers f = sum_i w_i (R - T N / U) / sum_i w_i (Q - N^2 / U), w_i = (U /
 * T)^2 up to a common factor. A worker whose rounds all had the same a adds zero to both sums: it
 * cannot tell f from s.
 */
final class WorkSums {

  /** No fixed cost takes more than this share of what a worker's rounds took. */
  private static final double LARGEST_FIXED_SHARE = 0.9;

  private double priorUnits;
  private double priorTime;
  private double rounds;
  private double units;
  private double time;
  private double inverseUnits;
  private double timeOverUnits;

  /** Adds one round of {@code roundUnits} units. */
  void add(double roundUnits, double roundTime) {
    rounds++;
    units += roundUnits;
    time += roundTime;
    inverseUnits += 1 / roundUnits;
    timeOverUnits += roundTime / roundUnits;
  }

  /** Adds pseudo-counts, which say nothing of the fixed cost. */
  void add(Prior prior) {
    priorUnits += prior.units();
    priorTime += prior.units() * prior.mean();
  }

  /** Units per round. */
  double meanUnits() {
    return units / rounds;
  }

  double ownUnits() {
    return units;
  }

  double ownMeanTime() {
    return time / units;
  }

  double ownTimePerUnit(double fixedCost) {
    return (1 - Math.min(LARGEST_FIXED_SHARE, fixedCost * rounds / time)) * ownMeanTime();
  }

  void removePriors() {
    priorUnits = 0;
    priorTime = 0;
  }

  void set(WorkSums other) {
    priorUnits = other.priorUnits;
    priorTime = other.priorTime;
    rounds = other.rounds;
    units = other.units;
    time = other.time;
    inverseUnits = other.inverseUnits;
    timeOverUnits = other.timeOverUnits;
  }

  void clear() {
    removePriors();
    rounds = 0;
    units = 0;
    time = 0;
    inverseUnits = 0;
    timeOverUnits = 0;
  }

  boolean hasRounds() {
    return rounds > 0;
  }

  /** The paper's K_i, pseudo-counts included; 0 if nothing is known. */
  double units() {
    return priorUnits + units;
  }

  /** T. */
  double totalTime() {
    return priorTime + time;
  }

  /** Time per unit as it ran, fixed costs included; NaN if nothing is known. */
  double meanTime() {
    return (priorTime + time) / (priorUnits + units);
  }

  /** s for a given f. */
  double timePerUnit(double fixedCost) {
    double share = fixedCost * rounds / (priorTime + time);
    return (1 - Math.min(LARGEST_FIXED_SHARE, share)) * meanTime();
  }

  /** This worker's part of the numerator of f; {@code scale} is any one time per unit. */
  double fixedCostNumerator(double scale) {
    return rounds == 0 ? 0 : (timeOverUnits - time * rounds / units) * weight(scale);
  }

  /** Its part of the denominator, in 1 / units. */
  double fixedCostDenominator(double scale) {
    return rounds == 0 ? 0 : (inverseUnits - rounds * rounds / units) * weight(scale);
  }

  private double weight(double scale) {
    double speed = scale * (units / time);
    return speed * speed;
  }
}
