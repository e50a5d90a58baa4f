package io.sparkata.allocation;

import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Contender.Feedback;
import io.sparkata.simulation.Scenario;
import io.sparkata.simulation.Simulation;
import io.sparkata.simulation.Totals;
import java.util.List;
import java.util.stream.Stream;

/**
 * A contender with a name. Every run has a new contender, since policies learn.
 *
 * @param name the column in tables
 */
record NamedContender(String name, Starter starter) {

  /** Makes the contender of one run. */
  interface Starter {
    Contender start(Scenario scenario, long seed);
  }

  static final NamedContender ADAPTIVE = policy(AdaptivePolicy.ID);

  /** {@code adaptive} and every other policy. Those that do not learn get the true means. */
  static final List<NamedContender> POLICIES =
      Stream.of(
              AdaptivePolicy.ID,
              AtaEmpiricalPolicy.ID,
              AtaPolicy.ID,
              UniformPolicy.ID,
              SelfAdaptivePolicy.ID,
              ProportionalPolicy.ID,
              ProportionalControlPolicy.ID,
              StaticPolicy.ID)
          .map(NamedContender::policy)
          .toList();

  /** The policy alone, as in the paper. */
  static NamedContender policy(String id) {
    return new NamedContender(id, (scenario, seed) -> Contender.policy(create(id, scenario, seed)));
  }

  /** The policy as the scheduler calls it. */
  static NamedContender scheduled(String id) {
    return new NamedContender(
        id, (scenario, seed) -> Contender.scheduled(create(id, scenario, seed)));
  }

  /** {@code adaptive} with other constants. */
  static NamedContender tuned(String name, AdaptiveTuning tuning) {
    return new NamedContender(
        name,
        (scenario, seed) ->
            Contender.policy(new AdaptivePolicy(PolicySettings.defaults().withSeed(seed), tuning)));
  }

  /** {@code units} in every round. */
  static NamedContender fixed(String name, int[] units) {
    return new NamedContender(
        name, (scenario, seed) -> Contender.policy(new FixedAllocationPolicy(units)));
  }

  /** See {@link InformedPolicy}; for laws c + Exp(c). */
  static NamedContender informed() {
    return new NamedContender(
        "informed",
        (scenario, seed) ->
            Contender.policy(InformedPolicy.of(scenario.law(), seed), Feedback.PER_UNIT));
  }

  static AllocationPolicy create(String id, Scenario scenario, long seed) {
    PolicySettings settings = PolicySettings.defaults().withSeed(seed);
    if (AllocationPolicies.needsMeans(id)) {
      settings = settings.withPriors(scenario.trueMeans(/* units= */ 1));
    }
    return AllocationPolicies.create(id, settings, NamedContender.class.getClassLoader());
  }

  Contender start(Scenario scenario, long seed) {
    return starter.start(scenario, seed);
  }

  Totals run(Scenario scenario, long rounds, long seed) {
    return new Simulation(scenario, rounds, seed).run(start(scenario, seed));
  }
}
