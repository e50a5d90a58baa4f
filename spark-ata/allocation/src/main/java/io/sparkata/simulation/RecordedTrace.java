package io.sparkata.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How fast the executors of a recorded training were, round by round, as a round log has them.
 * Immutable.
 */
public final class RecordedTrace {

  private final List<String> workers;
  private final double[][] nanosPerSample;
  private final double samplesPerRound;
  private final double runtime;
  private final int budget;

  /**
   * A trace.
   *
   * @param workers the ids of the executors, at least one
   * @param nanosPerSample by round and executor; NaN where the executor did not compute in the
   *     round. Each computed in some round
   * @param samplesPerRound the mean over the rounds
   * @param runtime the sum over the rounds of the time of the slowest executor, nanoseconds
   * @param budget units that the recorded policy handed out per round
   */
  public RecordedTrace(
      List<String> workers,
      double[][] nanosPerSample,
      double samplesPerRound,
      double runtime,
      int budget) {
    this.workers = List.copyOf(workers);
    this.nanosPerSample = filled(nanosPerSample);
    this.samplesPerRound = samplesPerRound;
    this.runtime = runtime;
    this.budget = budget;
  }

  /** The number of rounds recorded. */
  public int rounds() {
    return nanosPerSample.length;
  }

  /** Units per round of the recorded policy. */
  public int budget() {
    return budget;
  }

  /**
   * The kernel time of the recorded rounds, nanoseconds: what the recorded policy took by the same
   * measure as the simulated ones.
   */
  public double runtime() {
    return runtime;
  }

  /**
   * The law that replays the trace, in nanoseconds: without noise, for a round's own times are the
   * noise; where an executor did not compute with its last known time, before its first round with
   * the first; from the start again after the last round. Fixed allocations go by the means over
   * all rounds.
   *
   * @param unitsPerRound units that the samples of a round are cut into
   */
  public TimeLaw law(int unitsPerRound) {
    double samplesPerUnit = samplesPerRound / unitsPerRound;
    double[][] times = new double[rounds()][];
    double[] means = new double[workers.size()];
    for (int k = 0; k < times.length; k++) {
      times[k] = Arrays.stream(nanosPerSample[k]).map(time -> time * samplesPerUnit).toArray();
      for (int i = 0; i < means.length; i++) {
        means[i] += times[k][i] / times.length;
      }
    }
    return new Replay(workers, times, means);
  }

  private static double[][] filled(double[][] times) {
    double[][] filled = Arrays.stream(times).map(double[]::clone).toArray(double[][]::new);
    for (int k = 1; k < filled.length; k++) {
      fill(filled[k], filled[k - 1]);
    }
    for (int k = filled.length - 2; k >= 0; k--) {
      fill(filled[k], filled[k + 1]);
    }
    return filled;
  }

  private static void fill(double[] times, double[] neighbours) {
    for (int i = 0; i < times.length; i++) {
      times[i] = Double.isNaN(times[i]) ? neighbours[i] : times[i];
    }
  }

  private static final class Replay implements TimeLaw {
    private final List<String> names;
    private final double[][] times;
    private final double[] means;

    Replay(List<String> names, double[][] times, double[] means) {
      this.names = names;
      this.times = times;
      this.means = means;
    }

    @Override
    public String name() {
      return "trace";
    }

    @Override
    public int workers() {
      return means.length;
    }

    @Override
    public String worker(int worker) {
      return names.get(worker);
    }

    @Override
    public double sample(int worker, long round, RandomGenerator random) {
      return mean(worker, round);
    }

    @Override
    public double mean(int worker, long round) {
      return times[(int) ((round - 1) % times.length)][worker];
    }

    @Override
    public double baseMean(int worker) {
      return means[worker];
    }

    @Override
    public double variance(int worker, long round) {
      return 0;
    }

    @Override
    public double minimum(int worker, long round) {
      return mean(worker, round);
    }
  }
}
