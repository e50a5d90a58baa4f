package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.RowSelection;
import io.sparkata.rounds.RoundContext;
import io.sparkata.rounds.Rounds;
import io.sparkata.rounds.SimulatedCluster;
import io.sparkata.rounds.SimulatedSums;
import io.sparkata.rounds.Workload;
import io.sparkata.rounds.crew.DrawnRows.Part;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sums by the real {@link GreedyRounds}: each is that of its micro-tasks, none twice, all of this
 * round and of rows that are packed now, and they are as many as needed.
 */
final class SimulatedGreedy implements SimulatedSums {
  private static final long SEED = 42;

  private final SimulatedCluster cluster;
  private final double fraction;
  private int closed;
  private long lastPull;

  SimulatedGreedy(SimulatedCluster cluster) {
    this.cluster = cluster;
    this.fraction = Math.pow(1 - cluster.random.nextDouble(), 4); // mostly few micro-tasks
    cluster.executors.beCareful(); // no sum says what it has read
  }

  @Override
  public Rounds open(RoundContext context, String policy, int rounds) {
    return new GreedyRounds(
        new Workload("simulated", fraction, rounds),
        context,
        cluster,
        SEED,
        new SimulatedCrews(cluster, times -> {}),
        () -> closed++);
  }

  @Override
  public void check(Rounds rounds, int round) {
    DrawnRows summand = new DrawnRows(round);
    DrawnRows.Sum sum = rounds.sum(round, summand, RowSelection.all());
    List<Part> parts = sum.parts();
    long pull = parts.get(0).pull();
    int unit = parts.get(0).unit();
    Map<String, MicroShare<?>> shares = new HashMap<>();
    Set<String> seen = new HashSet<>();
    long value = 0;
    long rows = 0;
    for (Part part : parts) {
      MicroShare<?> share =
          shares.computeIfAbsent(part.executorId(), id -> share(id, round, summand, unit));
      if (!seen.add(part.executorId() + " " + part.number())) {
        throw new AssertionError(part + " counts twice");
      }
      if (part.pull() != pull) {
        throw new AssertionError(part + " is of another attempt or round");
      }
      if (!part.blocks().equals(share.blocks())
          || !Arrays.equals(part.rows(), share.draw(part.number()))) {
        throw new AssertionError(part + " has other rows than those of its executor");
      }
      value += value(part);
      rows += part.rows().length;
    }
    assertThat(sum.value()).as("sum of round %s", round).isEqualTo(round * value);
    assertThat(pull).as("pull of round %s", round).isGreaterThan(lastPull);
    lastPull = pull;
    long needed = Math.max(1, Math.round(cluster.blocks().rows() * fraction));
    assertThat(rows).as("rows of round %s", round).isBetween(needed, needed + unit - 1);
  }

  private MicroShare<?> share(String executorId, int round, DrawnRows summand, int unit) {
    return new MicroShare<>(
        summand, cluster.heldBy(executorId), unit, MicroShare.seed(SEED, round, executorId));
  }

  /** The sum of the rows that it should have drawn. */
  private long value(Part part) {
    long value = 0;
    long first = 0;
    for (BlockRef block : part.blocks()) {
      long[] rows = cluster.rows(block);
      for (long drawn : part.rows()) {
        if (drawn >= first && drawn < first + block.rows()) {
          value += rows[(int) (drawn - first)];
        }
      }
      first += block.rows();
    }
    return value;
  }

  /** An executor that hangs may be the only one that holds rows. */
  @Override
  public long mostNanos() {
    return 75_000_000_000L;
  }

  @Override
  public void checkClosed() {
    assertThat(closed).as("times that the accumulators were closed").isEqualTo(1);
  }
}
