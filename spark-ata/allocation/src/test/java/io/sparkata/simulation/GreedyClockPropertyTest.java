package io.sparkata.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.assertj.core.data.Offset;

class GreedyClockPropertyTest {

  private static final int ROUNDS = 5;

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void play_anyLaw_agreesWithSortingAllFinishes(
      @ForAll @IntRange(min = 1, max = 12) int workers,
      @ForAll @IntRange(min = 1, max = 30) int budget,
      @ForAll @IntRange(max = 13) int law,
      @ForAll @IntRange(max = 50) int fixedCost,
      @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
    TimeLaw times =
        law < Laws.names().size()
            ? Laws.of(Laws.names().get(law), workers)
            : Drift.step(Laws.of("linear", workers), 3);
    double[] costs = new double[workers];
    for (int i = 0; i < workers; i++) {
      costs[i] = fixedCost * (i % 3);
    }
    Scenario scenario = Scenario.of(times, budget).withFixedCosts(costs);
    List<Double> found = new ArrayList<>();

    new Simulation(scenario, ROUNDS, seed)
        .run(
            Contender.greedy(),
            round -> {
              found.add(round.time());
              int units = 0;
              for (int i = 0; i < workers; i++) {
                units += round.units(i);
              }
              assertThat(units).isEqualTo(budget);
              assertThat(round.work()).isCloseTo(workers * round.time(), offset(round));
            });

    for (int k = 1; k <= ROUNDS; k++) {
      assertThat(found.get(k - 1)).isEqualTo(slowly(scenario, k, seed));
    }
  }

  private static Offset<Double> offset(Round round) {
    return Offset.offset(1e-9 * round.work());
  }

  /** The first B finishes of every worker, sorted. The round ends at the B-th of all. */
  private static double slowly(Scenario scenario, int round, long seed) {
    UnitRandom random = new UnitRandom(seed, UnitRandom.Use.TIMES);
    List<Double> finishes = new ArrayList<>();
    for (int i = 0; i < scenario.law().workers(); i++) {
      random.at(i, round);
      double time = scenario.fixedCost(i);
      for (int j = 0; j < scenario.budget(); j++) {
        time += scenario.law().of(i, round).sample(random);
        finishes.add(time);
      }
    }
    Collections.sort(finishes);
    return finishes.get(scenario.budget() - 1);
  }
}
