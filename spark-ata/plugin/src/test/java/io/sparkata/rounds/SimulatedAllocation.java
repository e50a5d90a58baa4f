package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.blocks.RowSelection;
import io.sparkata.memory.Speeds;
import io.sparkata.rounds.SimulatedExecutors.Machine;
import java.util.function.Function;

/**
 * Sums by the real {@link AtaScheduler}: each is that of all rows. Executors have constant speeds,
 * so what is learned of one is its speed, or nothing.
 */
final class SimulatedAllocation implements SimulatedSums {
  private static final String KERNEL = "simulated";
  private static final double BYTES_PER_ROW = 8;

  /** A span's time is a whole number of nanoseconds. */
  private static final double ERROR = 0.001;

  private final SimulatedCluster cluster;
  private final Function<SimulatedCluster, RoundRunner> runners;
  private AllocationPolicy policy;
  private Speeds speeds;
  private double rowsPerUnit;

  /**
   * @param runners makes what executes the rounds
   */
  SimulatedAllocation(SimulatedCluster cluster, Function<SimulatedCluster, RoundRunner> runners) {
    this.cluster = cluster;
    this.runners = runners;
  }

  @Override
  public Rounds open(RoundContext context, String id, int rounds) {
    speeds = context.speeds();
    return new AtaScheduler(
        new Workload(KERNEL, /* fraction= */ 1, rounds),
        context,
        cluster,
        () -> runners.apply(cluster),
        (priors, rowsOfUnit) -> {
          rowsPerUnit = rowsOfUnit;
          policy =
              AllocationPolicies.create(
                  id, PolicySettings.defaults().withPriors(priors), getClass().getClassLoader());
          return policy;
        });
  }

  @Override
  public void check(Rounds rounds, int round) {
    assertThat(rounds.sum(round, new WholeSum(round), RowSelection.all()))
        .as("sum of round %s", round)
        .isEqualTo(round * cluster.sum());
    for (Machine machine : cluster.executors.all()) {
      double nanosPerRow = policy.meanTime(machine.id) / rowsPerUnit;
      if (!Double.isNaN(nanosPerRow)) { // of killed tasks, a lower bound is known
        assertThat(nanosPerRow * machine.slots / machine.nanosPerRow)
            .as("estimated over real time of a row on %s", machine.id)
            .isGreaterThan(0)
            .isLessThan(1 + ERROR);
      }
    }
  }

  /**
   * A crew that does not form is waited for longest: 10 s, and for the end of its job twice 1 s. An
   * executor that hangs may be found only by a later round: in 4 s by a job, in 9 s by a crew.
   */
  @Override
  public long mostNanos() {
    return 12_000_000_000L;
  }

  @Override
  public void checkClosed() {
    for (Machine machine : cluster.executors.all()) {
      speeds
          .nanosPerByte(machine.id, "host-" + machine.id, KERNEL)
          .ifPresent(
              nanosPerByte ->
                  assertThat(nanosPerByte * BYTES_PER_ROW / machine.nanosPerRow)
                      .as("remembered over real time of a row on %s", machine.id)
                      .isBetween(1 - ERROR, 1 + ERROR));
    }
  }
}
