package io.sparkata.allocation;

/** What one worker's estimate is made of: pseudo-counts of a prior, and the rounds seen. */
final class WorkSums {

  private double priorUnits;
  private double priorTime;
  private long rounds;
  private double units;
  private double time;

  /** Adds one round. */
  void add(double roundUnits, double roundTime) {
    rounds++;
    units += roundUnits;
    time += roundTime;
  }

  /** Adds pseudo-counts. */
  void add(Prior prior) {
    priorUnits += prior.units();
    priorTime += prior.units() * prior.mean();
  }

  void removePriors() {
    priorUnits = 0;
    priorTime = 0;
  }

  void clear() {
    removePriors();
    rounds = 0;
    units = 0;
    time = 0;
  }

  boolean hasRounds() {
    return rounds > 0;
  }

  /** The paper's K_i, pseudo-counts included; 0 if nothing is known. */
  double units() {
    return priorUnits + units;
  }

  /** Time per unit, pseudo-counts included; NaN if nothing is known. */
  double meanTime() {
    return (priorTime + time) / (priorUnits + units);
  }

  /** Units of the rounds seen. */
  double ownUnits() {
    return units;
  }

  /** Time per unit of the rounds seen. */
  double ownMeanTime() {
    return time / units;
  }

  /** Units per round seen, or of the prior while none was. */
  double unitsOfRound() {
    return rounds > 0 ? meanUnits() : priorUnits;
  }

  /** Units per round seen. */
  double meanUnits() {
    return units / rounds;
  }
}
