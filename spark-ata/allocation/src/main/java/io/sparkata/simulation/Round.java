package io.sparkata.simulation;

/** What happened in one round. */
public final class Round {

  private final long index;
  private final int[] units;
  private final double[] busy;
  private double time;
  private double work;
  private double regret;

  Round(long index, int workers) {
    this.index = index;
    units = new int[workers];
    busy = new double[workers];
  }

  /** The number of the round, from 1. */
  public long index() {
    return index;
  }

  /** How long the round took: C(a) of the paper. */
  public double time() {
    return time;
  }

  /** The worker time that is charged. */
  public double work() {
    return work;
  }

  /** The round's proxy regret l(a, mu) - l(a*, mu); NaN where nothing was allocated. */
  public double regret() {
    return regret;
  }

  /** Units of a worker, numbered from 0: those allocated, or under greedy those finished. */
  public int units(int worker) {
    return units[worker];
  }

  /** The time that a worker spent on units, 0 if it got none. */
  public double busy(int worker) {
    return busy[worker];
  }

  void addWorker(int worker, int newUnits, double newBusy) {
    units[worker] += newUnits;
    busy[worker] += newBusy;
    work += newBusy;
  }

  void addTime(double newTime) {
    time += newTime;
  }

  void addRegret(double newRegret) {
    regret += newRegret;
  }
}
