package io.sparkata.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How fast the executors of a recorded training were, round by round, as a round log has them.
 * Immutable.
 *
 * @param workers the ids of the executors, at least one
 * @param nanosPerSample by round and id. A round may lack executors that did not compute in it;
 *     they get their last known time, before their first round the first. Each executor computed in
 *     some round
 * @param samplesPerRound the mean over the rounds
 * @param runtime the kernel time of the recorded rounds, nanoseconds: the sum over the rounds of
 *     the time of the slowest executor, what the recorded policy took by the same measure as the
 *     simulated ones
 * @param budget units that the recorded policy handed out per round
 */
public record RecordedTrace(
    List<String> workers,
    List<Map<String, Double>> nanosPerSample,
    double samplesPerRound,
    double runtime,
    int budget) {

  /** Copies the arguments and fills in the times that they lack. */
  public RecordedTrace {
    workers = List.copyOf(workers);
    Map<String, Double> known = new HashMap<>();
    for (int k = nanosPerSample.size() - 1; k >= 0; k--) {
      known.putAll(nanosPerSample.get(k));
    }
    List<Map<String, Double>> filled = new ArrayList<>();
    for (Map<String, Double> round : nanosPerSample) {
      known.putAll(round);
      filled.add(Map.copyOf(known));
    }
    nanosPerSample = List.copyOf(filled);
  }

  /** The number of rounds recorded. */
  public int rounds() {
    return nanosPerSample.size();
  }

  /**
   * The law that replays the trace, in nanoseconds: without noise, for a round's own times are the
   * noise; from the start again after the last round. Fixed allocations go by the means over all
   * rounds.
   *
   * @param unitsPerRound units that the samples of a round are cut into
   */
  public TimeLaw law(int unitsPerRound) {
    double samplesPerUnit = samplesPerRound / unitsPerRound;
    List<List<Distribution>> times = new ArrayList<>();
    double[] means = new double[workers.size()];
    for (Map<String, Double> round : nanosPerSample) {
      times.add(
          workers.stream()
              .map(id -> Distributions.constant(round.get(id) * samplesPerUnit))
              .toList());
      for (int i = 0; i < means.length; i++) {
        means[i] += round.get(workers.get(i)) * samplesPerUnit / rounds();
      }
    }
    return new TimeLaw() {
      @Override
      public String name() {
        return "trace";
      }

      @Override
      public int workers() {
        return workers.size();
      }

      @Override
      public String worker(int worker) {
        return workers.get(worker);
      }

      @Override
      public Distribution of(int worker, long round) {
        return times.get((int) ((round - 1) % times.size())).get(worker);
      }

      @Override
      public double baseMean(int worker) {
        return means[worker];
      }
    };
  }
}
