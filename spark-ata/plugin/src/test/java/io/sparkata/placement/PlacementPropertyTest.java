package io.sparkata.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.placement.PlacementFixtures.Target;
import io.sparkata.placement.PlacementPlan.Move;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Several rounds on random blocks, holders and counts; fetched blocks stay as replicas. */
class PlacementPropertyTest {
  private static final int ROUNDS = 6;

  @Property(tries = 400)
  void plan_anyCounts_coversEachRowOnceWithFewCuts(
      @ForAll @Size(min = 1, max = 15) List<@IntRange(min = 1, max = 20) Integer> rows,
      @ForAll @IntRange(min = 1, max = 6) int executors,
      @ForAll @IntRange(max = 4) int tolerance,
      @ForAll long seed) {
    Cluster cluster = new Cluster(rows, executors, seed);
    Placement placement = new Placement();
    for (int round = 0; round < ROUNDS; round++) {
      List<Target> targets = cluster.randomTargets();
      PlacementPlan plan = cluster.plan(placement, targets, tolerance, ROUNDS - round);

      assertThat(plan.members().ids()).isEqualTo(targets.stream().map(Target::id).toList());
      assertEachRowOnce(cluster.blocks, plan);
      assertThat(plan.cuts())
          .isEqualTo(spansIn(plan) - rows.size())
          .isBetween(0, targets.size() - 1);
      assertMovesAreWhatIsNotHeld(cluster, plan);
      if (!plan.isKept()) {
        assertCountsAreMet(plan, targets, tolerance);
      }
      cluster.fetch(plan);
    }
  }

  @Property(tries = 1000)
  void plan_anyCounts_isThatOfTheModel(
      @ForAll @Size(min = 1, max = 25) List<@IntRange(min = 1, max = 20) Integer> rows,
      @ForAll @IntRange(min = 1, max = 8) int executors,
      @ForAll @IntRange(max = 4) int tolerance,
      @ForAll long seed) {
    Cluster cluster = new Cluster(rows, executors, seed);
    Placement placement = new Placement();
    SlowPlacement model = new SlowPlacement();
    for (int round = 0; round < ROUNDS; round++) {
      List<Target> targets = cluster.randomTargets();
      PlacementPlan plan = cluster.plan(placement, targets, tolerance, ROUNDS - round);
      PlacementPlan expected =
          model.plan(cluster.blocks, cluster.holders, targets, tolerance, ROUNDS - round);

      assertThat(plan.members().ids()).isEqualTo(expected.members().ids());
      assertThat(plan.spans()).hasToString(expected.spans().toString());
      assertThat(plan.moves()).isEqualTo(expected.moves());
      assertThat(plan.cuts()).isEqualTo(expected.cuts());
      assertThat(plan.isKept()).isEqualTo(expected.isKept());
      cluster.fetch(plan);
      cluster.change();
    }
  }

  @Property(tries = 200)
  void plan_sameInputs_givesTheSamePlans(
      @ForAll @Size(min = 1, max = 15) List<@IntRange(min = 1, max = 20) Integer> rows,
      @ForAll @IntRange(min = 1, max = 6) int executors,
      @ForAll @IntRange(max = 4) int tolerance,
      @ForAll long seed) {
    assertThat(plansOf(new Cluster(rows, executors, seed), tolerance))
        .isEqualTo(plansOf(new Cluster(rows, executors, seed), tolerance));
  }

  @Property(tries = 300)
  void plan_unchangedCounts_movesNothingAndKeepsOwners(
      @ForAll @Size(min = 1, max = 15) List<@IntRange(min = 1, max = 20) Integer> rows,
      @ForAll @IntRange(min = 1, max = 6) int executors,
      @ForAll long seed) {
    Cluster cluster = new Cluster(rows, executors, seed);
    Placement placement = new Placement();
    List<Target> targets = cluster.randomTargets();
    PlacementPlan before = cluster.plan(placement, targets, 0, ROUNDS);
    cluster.fetch(before);
    for (int round = 0; round < 3; round++) {
      PlacementPlan plan = cluster.plan(placement, targets, 0, ROUNDS);

      assertThat(plan.moves()).isEmpty();
      assertThat(wholeBlocks(plan)).containsAll(wholeBlocks(before));
      before = plan;
    }
  }

  @Property(tries = 200)
  void plan_everythingHeldEverywhere_movesNothing(
      @ForAll @Size(min = 1, max = 15) List<@IntRange(min = 1, max = 20) Integer> rows,
      @ForAll @IntRange(min = 1, max = 6) int executors,
      @ForAll long seed) {
    Cluster cluster = new Cluster(rows, executors, seed);
    cluster.holders.replaceAll(unused -> cluster.ids());
    Placement placement = new Placement();
    for (int round = 0; round < ROUNDS; round++) {
      List<Target> targets = cluster.randomTargets();
      PlacementPlan plan = cluster.plan(placement, targets, 0, ROUNDS);

      assertThat(plan.moves()).isEmpty();
      assertThat(plan.isKept()).isFalse();
      assertCountsAreMet(plan, targets, /* tolerance= */ 0);
    }
  }

  private static List<String> plansOf(Cluster cluster, int tolerance) {
    Placement placement = new Placement();
    List<String> plans = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      PlacementPlan plan =
          cluster.plan(placement, cluster.randomTargets(), tolerance, ROUNDS - round);
      cluster.fetch(plan);
      plans.add(plan.spans() + " " + plan.cuts() + " " + plan.isKept());
    }
    return plans;
  }

  private static void assertEachRowOnce(List<BlockRef> blocks, PlacementPlan plan) {
    Map<BlockRef, int[]> times = new HashMap<>();
    for (int b = 0; b < blocks.size(); b++) {
      times.put(blocks.get(b), new int[blocks.get(b).rows()]);
    }
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

  private static void assertCountsAreMet(PlacementPlan plan, List<Target> targets, int tolerance) {
    long[] rows = plan.rows();
    for (int i = 0; i < rows.length; i++) {
      long target = targets.get(i).targetRows();
      assertThat(rows[i]).isLessThanOrEqualTo(target == 0 ? 0 : target + tolerance);
    }
  }

  private static void assertMovesAreWhatIsNotHeld(Cluster cluster, PlacementPlan plan) {
    Set<Move> expected = new HashSet<>();
    for (int i = 0; i < plan.members().ids().size(); i++) {
      for (Span span : plan.spans().get(i)) {
        String executor = plan.members().ids().get(i);
        if (!cluster.holders.get(span.block()).contains(executor)) {
          expected.add(new Move(span.ref(), executor, span.ref().bytes()));
        }
      }
    }
    assertThat(plan.moves()).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static int spansIn(PlacementPlan plan) {
    return plan.spans().stream().mapToInt(List::size).sum();
  }

  private static Set<String> wholeBlocks(PlacementPlan plan) {
    Set<String> owned = new HashSet<>();
    for (int i = 0; i < plan.members().ids().size(); i++) {
      for (Span span : plan.spans().get(i)) {
        if (span.rows() == span.ref().rows()) {
          owned.add(plan.members().ids().get(i) + " " + span.ref());
        }
      }
    }
    return owned;
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

    List<String> ids() {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < executors; i++) {
        ids.add(idOf(i));
      }
      return ids;
    }

    /** Random counts that sum to the rows; some are 0; rooms and speeds are random, too. */
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
                random.nextInt(100),
                0.1 + random.nextDouble(),
                random.nextInt(3) * random.nextInt(30),
                1 + random.nextInt(9)));
      }
      return targets;
    }

    void fetch(PlacementPlan plan) {
      plan.moves().forEach(move -> holders.get(blocks.indexOf(move.block())).add(move.executor()));
    }

    /** Now and then an executor leaves or joins, a copy goes, a block is packed again. */
    void change() {
      switch (random.nextInt(6)) {
        case 0 -> executors = Math.max(1, executors - 1);
        case 1 -> executors++;
        case 2 -> holders.get(random.nextInt(holders.size())).remove(0);
        case 3 -> {
          List<String> holding = holders.get(random.nextInt(holders.size()));
          String more = idOf(executors - 1);
          holding.remove(more); // Spark's master names no executor twice
          holding.add(0, more);
        }
        case 4 -> {
          int b = random.nextInt(blocks.size());
          BlockRef old = blocks.get(b);
          blocks.set(b, new BlockRef(2, b, b, old.firstRow(), old.rows(), old.bytes(), 1));
        }
        default -> {}
      }
    }

    private static String idOf(int executor) {
      return "e" + executor;
    }
  }
}
