package io.sparkata.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.placement.PlacementFixtures.Target;
import io.sparkata.placement.PlacementPlan.Move;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Several rounds on random blocks, holders and counts; what is asked for arrives, or does not. */
class PlacementPropertyTest {
  private static final int ROUNDS = 6;

  @Property(tries = 600)
  void plan_anyCounts_readsEachRowOnceByAHolder(
      @ForAll @Size(min = 1, max = 15) List<@IntRange(min = 1, max = 20) Integer> rows,
      @ForAll @IntRange(min = 1, max = 6) int executors,
      @ForAll @IntRange(max = 4) int tolerance,
      @ForAll long seed) {
    Cluster cluster = new Cluster(rows, executors, seed);
    Placement placement = new Placement();
    for (int round = 0; round < ROUNDS; round++) {
      List<Target> targets = cluster.randomTargets();
      PlacementPlan plan = cluster.plan(placement, targets, tolerance, ROUNDS - round);

      assertEachRowOnce(cluster.blocks, plan);
      assertThat(plan.cuts()).isBetween(0, targets.size());
      assertIsReadByHoldersOrFetched(cluster, plan);
      assertMovesAreOfUse(cluster, plan, targets);
      cluster.change(plan);
    }
  }

  /** Each block is where it is wanted once nothing is too dear and no difference is chance. */
  @Property(tries = 300)
  void plan_movesArrive_meetsTheCountsAndThenRests(
      @ForAll @Size(min = 1, max = 15) List<@IntRange(min = 1, max = 20) Integer> rows,
      @ForAll @IntRange(min = 1, max = 6) int executors,
      @ForAll long seed) {
    Cluster cluster = new Cluster(rows, executors, seed);
    Placement placement = new Placement();
    List<Target> targets = cluster.randomTargets().stream().map(Target::fixed).toList();
    PlacementPlan plan = cluster.plan(placement, targets, 0, ROUNDS);
    for (int round = 0; round < 100 && plan.moves().size() + plan.fetches().size() > 0; round++) {
      cluster.fetch(plan);
      plan = cluster.plan(placement, targets, 0, ROUNDS);
    }
    assertThat(plan.moves()).isEmpty();
    long[] wanted = targets.stream().mapToLong(Target::targetRows).toArray();
    boolean isMet = Arrays.equals(plan.rows(), wanted);
    assertThat(isMet || plan.refused() > 0 || cluster.isHeldByAll(plan, wanted))
        .as("%s for %s", plan, targets)
        .isTrue();
  }

  private static void assertEachRowOnce(List<BlockRef> blocks, PlacementPlan plan) {
    Map<BlockRef, int[]> times = new HashMap<>();
    blocks.forEach(block -> times.put(block, new int[block.rows()]));
    for (List<Span> spans : plan.spans()) {
      int last = -1;
      for (Span span : spans) {
        assertThat(blocks.get(span.block())).isSameAs(span.ref());
        assertThat(span.block()).as("row order").isGreaterThan(last);
        last = span.block();
        for (int row = span.from(); row < span.to(); row++) {
          times.get(span.ref())[row]++;
        }
      }
    }
    assertThat(times.values()).allSatisfy(counts -> assertThat(counts).containsOnly(1));
  }

  private static void assertIsReadByHoldersOrFetched(Cluster cluster, PlacementPlan plan) {
    List<Move> fetched = new ArrayList<>();
    List<String> ids = plan.members().ids();
    for (int i = 0; i < ids.size(); i++) {
      for (Span span : plan.spans().get(i)) {
        List<String> holders = cluster.holders.get(span.block());
        if (!holders.contains(ids.get(i))) {
          fetched.add(new Move(span.ref(), ids.get(i), span.ref().bytes()));
        }
      }
    }
    assertThat(plan.fetches()).containsExactlyInAnyOrderElementsOf(fetched);
  }

  private static void assertMovesAreOfUse(
      Cluster cluster, PlacementPlan plan, List<Target> targets) {
    long[] rows = plan.rows();
    for (Move move : plan.moves()) {
      int receiver = plan.members().position(move.executor());
      assertThat(cluster.holders.get(cluster.blocks.indexOf(move.block())))
          .doesNotContain(move.executor());
      assertThat(rows[receiver]).isLessThan(targets.get(receiver).targetRows());
    }
    List<BlockRef> moved = plan.moves().stream().map(Move::block).toList();
    assertThat(new HashSet<>(moved)).hasSameSizeAs(moved);
  }

  /** Blocks and who holds them. */
  private static final class Cluster {
    final List<BlockRef> blocks = new ArrayList<>();
    final List<List<String>> holders = new ArrayList<>();
    private int executors;
    private final Random random;

    Cluster(List<Integer> rows, int executors, long seed) {
      this.executors = executors;
      random = new Random(seed);
      long first = 0;
      for (int i = 0; i < rows.size(); i++) {
        blocks.add(new BlockRef(1, i, 0, first, rows.get(i), 10L + rows.get(i), seed));
        first += rows.get(i);
        List<String> holding = new ArrayList<>();
        holding.add(idOf(random.nextInt(executors + 1))); // perhaps one that does not live
        holders.add(holding);
      }
    }

    PlacementPlan plan(Placement placement, List<Target> targets, int tolerance, int roundsLeft) {
      return PlacementFixtures.planned(placement, blocks, holders, targets, tolerance, roundsLeft);
    }

    /** Random counts that sum to the rows; some are 0; speeds are random, some unknown. */
    List<Target> randomTargets() {
      long rows = blocks.stream().mapToLong(BlockRef::rows).sum();
      long[] counts = new long[executors];
      int served = 1 + random.nextInt(executors);
      for (long row = 0; row < rows; row++) {
        counts[random.nextInt(served)]++;
      }
      List<Target> targets = new ArrayList<>();
      for (int i = 0; i < executors; i++) {
        targets.add(
            new Target(
                idOf(i),
                counts[i],
                random.nextInt(5) == 0 ? Double.NaN : 0.1 + random.nextDouble(),
                random.nextDouble() / 2,
                random.nextInt(5) == 0 ? Double.NaN : 1 + random.nextInt(90),
                /* decidesCount= */ true));
      }
      return targets;
    }

    void fetch(PlacementPlan plan) {
      for (List<Move> moves : List.of(plan.fetches(), plan.moves())) {
        moves.forEach(move -> holders.get(blocks.indexOf(move.block())).add(move.executor()));
      }
    }

    /** Whether executors below their count hold all that those above theirs read, or none is. */
    boolean isHeldByAll(PlacementPlan plan, long[] wanted) {
      long[] rows = plan.rows();
      for (int i = 0; i < rows.length; i++) {
        for (int j = 0; rows[i] < wanted[i] && j < rows.length; j++) {
          for (Span span : rows[j] > wanted[j] ? plan.spans().get(j) : List.<Span>of()) {
            if (!holders.get(span.block()).contains(idOf(i))) {
              return false;
            }
          }
        }
      }
      return true;
    }

    /** Some moves arrive; an executor leaves or joins, a copy goes, a block is packed again. */
    void change(PlacementPlan plan) {
      if (random.nextBoolean()) {
        fetch(plan);
      }
      switch (random.nextInt(6)) {
        case 0 -> executors = Math.max(1, executors - 1);
        case 1 -> executors++;
        case 2 -> holders.get(random.nextInt(holders.size())).remove(0);
        case 3 -> {
          int b = random.nextInt(blocks.size());
          BlockRef old = blocks.get(b);
          blocks.set(b, new BlockRef(2, b, b, old.firstRow(), old.rows(), old.bytes(), 1));
        }
        default -> {}
      }
      holders.forEach(
          holding -> {
            if (holding.isEmpty()) {
              holding.add(idOf(executors)); // none that lives
            }
          });
    }

    private static String idOf(int executor) {
      return "e" + executor;
    }
  }
}
