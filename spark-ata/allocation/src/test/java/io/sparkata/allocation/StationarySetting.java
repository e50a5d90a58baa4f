package io.sparkata.allocation;

import io.sparkata.simulation.ExpectedRoundTime;
import io.sparkata.simulation.Laws;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Totals;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A law of arXiv 2502.00775 with B = 23 and its reference values.
 *
 * @param minMaxTime expected time of a round of the min-max allocation on the true means, the
 *     paper's OFTA
 * @param optimum the allocation of least expected round time
 * @param optimumTime its expected round time
 * @param optimumWork its expected worker time
 */
record StationarySetting(
    String name,
    Scenario scenario,
    double minMaxTime,
    List<Integer> optimum,
    double optimumTime,
    double optimumWork) {

  static final int BUDGET = 23;

  static StationarySetting of(String law, int workers) {
    return of(law + " n = " + workers, Scenario.of(Laws.of(law, workers), BUDGET));
  }

  static StationarySetting of(String name, Scenario scenario) {
    ExpectedRoundTime expected = ExpectedRoundTime.of(scenario);
    int[] optimum = expected.minimise();
    double work = 0;
    for (int i = 0; i < optimum.length; i++) {
      work += optimum[i] * scenario.law().of(i, /* round= */ 1).mean();
    }
    return new StationarySetting(
        name,
        scenario,
        expected.at(expected.minMax()),
        Arrays.stream(optimum).boxed().toList(),
        expected.at(optimum),
        work);
  }

  /** The results by seed. */
  Totals[] run(NamedContender rival, long rounds, int seeds) {
    return LongStream.range(0, seeds)
        .parallel()
        .mapToObj(seed -> rival.run(scenario, rounds, seed))
        .toArray(Totals[]::new);
  }

  /** Runtime over the expected runtime of OFTA. */
  Estimate runtime(NamedContender rival, long rounds, int seeds) {
    return runtime(run(rival, rounds, seeds)).per(minMaxTime);
  }

  /** Runtime per round. */
  static Estimate runtime(Totals[] totals) {
    return Estimate.of(Arrays.stream(totals).mapToDouble(t -> t.runtime() / t.rounds()).toArray());
  }

  /** Worker time per round. */
  static Estimate work(Totals[] totals) {
    return Estimate.of(
        Arrays.stream(totals).mapToDouble(t -> t.workerTime() / t.rounds()).toArray());
  }
}
