package io.sparkata.simulation;

import java.util.Arrays;

/** What happened in one round. Reused from round to round: read it during the call. */
public final class Round {

  private final int[] units;
  private final double[] busy;
  private long index;
  private double time;
  private double work;
  private double regret;

  Round(int workers) {
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

  /** The time that workers were charged for. */
  public double work() {
    return work;
  }

  /** The round's proxy regret l(a, mu) - l(a*, mu); NaN where nothing was allocated. */
  public double regret() {
    return regret;
  }

  /** Units of a worker, numbered from 0: given by an allocation, finished under greedy. */
  public int units(int worker) {
    return units[worker];
  }

  /** The time that a worker was busy with units, 0 if it got none. */
  public double busy(int worker) {
    return busy[worker];
  }

  void begin(long newIndex) {
    index = newIndex;
    time = 0;
    work = 0;
    regret = 0;
    Arrays.fill(units, 0);
    Arrays.fill(busy, 0);
  }

  void addWorker(int worker, int newUnits, double newBusy) {
    units[worker] += newUnits;
    busy[worker] += newBusy;
    work += newBusy;
  }

  void addUnit(int worker) {
    units[worker]++;
  }

  void addTime(double newTime) {
    time += newTime;
  }

  void addRegret(double newRegret) {
    regret += newRegret;
  }
}
