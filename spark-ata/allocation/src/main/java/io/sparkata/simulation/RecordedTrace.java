package io.sparkata.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The speeds of the executors of a recorded training by round, from a round log. Immutable.
 *
 * @param workers the ids of the executors, at least one
 * @param nanosPerSample by round and id. An executor that did not compute in a round gets its last
 *     known time, or its first one before its first round. Each executor computed in some round
 * @param samplesPerRound mean over the rounds
 * @param runtime the kernel time of the recorded rounds in nanoseconds: the sum over the rounds of
 *     the time of the slowest executor, the same measure as for simulated policies
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
   * The law that replays the trace, in nanoseconds. It adds no noise, since the recorded times
   * contain it. After the last round it starts again. Fixed allocations use the means over all
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
