package io.sparkata.rounds;

import static io.sparkata.rounds.PlannedRounds.blocks;
import static io.sparkata.rounds.PlannedRounds.executors;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.cluster.Observation;
import io.sparkata.placement.PlacementPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundPlannerTest {
  private static final double NANOS_PER_ROW = 1000;
  private static final long AMPLE = 1L << 40;

  private final PlannedRounds rounds = new PlannedRounds("adaptive", 2, Map.of());

  /** Known to be four times as fast. */
  @Test
  void plan_fastExecutorWithoutMemory_keepsToWhatItHolds() {
    RoundPlan plan = planHalves(fastAndSlow(), /* freeBytes= */ 0, "e1");

    assertThat(plan.placement().rows()).containsExactly(60_000, 60_000);
    assertThat(plan.placement().moves()).isEmpty();
    assertThat(plan.lacking().orElseThrow().executor()).isEqualTo("e0");
  }

  @Test
  void plan_fastExecutorWithMemory_isToFetchWhatIsCertain() {
    RoundPlan all = planHalves(fastAndSlow(), AMPLE, "e1");
    PlacementPlan plan = all.placement();

    assertThat(all.lacking()).isEmpty();
    assertThat(plan.rows()).containsExactly(60_000, 60_000);
    assertThat(plan.moves()).hasSize(2); // each estimate may be off by 1.4
    assertThat(plan.moves()).extracting(PlacementPlan.Move::executor).containsOnly("e0");
  }

  @Test
  void plan_executorServesFetches_isContendedInEveryOtherRound() {
    PlannedRounds uneven = fastAndSlow();
    for (int round = 1; round <= 4; round++) {
      RoundPlan plan = planHalves(uneven, AMPLE, "e1");
      assertThat(plan.placement().moves()).isNotEmpty();
      assertThat(plan.contended())
          .as("round %s", round)
          .isEqualTo(round % 2 == 1 ? Set.of("e1") : Set.of());
    }
  }

  @Test
  void plan_packingTookOneExecutorFourTimesAsLong_movesInTheFirstRoundOnly() {
    PlannedRounds packed = packed("adaptive", 4);

    RoundPlan first = planHalves(packed, AMPLE, "e1");
    assertThat(first.units()).containsExactly(102, 26);
    assertThat(first.placement().rows()).containsExactly(60_000, 60_000);
    assertThat(first.placement().moves()).hasSize(2);
    assertThat(first.contended()).as("its times are the first").isEmpty();

    Members members = packed.members(executors(/* n= */ 2, /* slots= */ 1));
    packed.learning.observe(List.of(seen("e0"), seen("e1")), members);
    assertThat(planHalves(packed, AMPLE, "e1").placement().moves()).isEmpty();
  }

  @Test
  void plan_packingSaysNothing_movesNothing() {
    PlannedRounds oneOnly = new PlannedRounds("adaptive", 2, Map.of(), Map.of("e0", NANOS_PER_ROW));

    for (PlannedRounds any : List.of(packed("adaptive", 1.5), packed("uniform", 4), oneOnly)) {
      RoundPlan plan = planHalves(any, AMPLE, "e1");
      assertThat(plan.placement().moves()).isEmpty();
    }
  }

  @Test
  void plan_executorThatHasPackedNothing_getsNoRowsInTheFirstRound() {
    PlannedRounds packed = new PlannedRounds("adaptive", 2, Map.of(), Map.of("e0", NANOS_PER_ROW));
    RoundPlan first = planHalves(packed, AMPLE, "e0");
    assertThat(first.units()).containsExactly(128, 0);
    assertThat(first.placement().rows()).containsExactly(120_000, 0);
    assertThat(first.placement().moves()).isEmpty();

    Members members = packed.members(executors(/* n= */ 2, /* slots= */ 1));
    packed.learning.observe(List.of(seen("e0")), members);
    assertThat(planHalves(packed, AMPLE, "e0").units()[1]).as("a newcomer").isBetween(1, 7);
  }

  @Test
  void plan_givesTrials_executorOfUnknownSpeedGetsAUnitAndNoRows() {
    PlannedRounds one = oneUnknown();
    RoundPlan fetching = planWithTrials(one, block -> List.of("e0", "e2"));
    assertThat(fetching.placement().rows()[1]).isZero();
    assertThat(fetching.units()[1]).isZero();
    assertThat(fetching.placement().moves()).isEmpty();
    assertThat(trials(fetching)).containsExactly("e1: [4]");
    assertThat(fetching.tasks()).noneMatch(RoundTask::isTrial);

    assertThat(trials(planWithTrials(one, b -> b == 8 ? List.of("e0", "e1") : List.of("e0", "e2"))))
        .as("what it holds")
        .containsExactly("e1: [8]");

    one.learning.observe(List.of(seen("e1")), one.members(executors(/* n= */ 3, /* slots= */ 1)));
    RoundPlan known = planWithTrials(one, block -> List.of("e0", "e1", "e2"));
    assertThat(known.trials()).isEmpty();
    assertThat(known.placement().rows()).containsExactly(40_000, 40_000, 40_000);
  }

  /** Else rows of its block would go to it where the other holder has more than its count. */
  @Test
  void plan_givesTrials_tryingDoesNotMakeAnExecutorAReader() {
    RoundPlan plan =
        planWithTrials(oneUnknown(), b -> b < 8 ? List.of("e0", "e1") : List.of("e2", "e1"));
    assertThat(plan.placement().rows()).containsExactly(80_000, 0, 40_000);
    assertThat(trials(plan)).containsExactly("e1: [0]");
  }

  @Test
  void plan_executorOfUnknownSpeedAloneHoldsABlock_readsItAndIsNotTried() {
    RoundPlan plan =
        planWithTrials(oneUnknown(), b -> b == 5 ? List.of("e1") : List.of("e0", "e2"));
    assertThat(plan.placement().rows()[1]).isEqualTo(10_000);
    assertThat(plan.trials()).isEmpty();
  }

  @Test
  void plan_unitOfManyBlocks_triesAllOfThemOnAllSlots() {
    PlannedRounds one = oneUnknown();
    BlockRef[] small = new BlockRef[600];
    Arrays.setAll(small, b -> new BlockRef(1, b, 0, 100L * b, 100, 1000, /* packingId= */ 1));
    Blocks blocks = Blocks.of(List.of(small));
    RoundPlan plan =
        one.plan(
            executors(/* n= */ 3, /* slots= */ 2),
            blocks,
            Collections.nCopies(600, List.of("e0", "e2")),
            /* givesTrials= */ true);
    assertThat(plan.trials()).hasSize(2).allMatch(RoundTask::isTrial);
    assertThat(plan.trials().stream().mapToLong(RoundTask::rows).sum())
        .as("60,000 rows in 192 units")
        .isEqualTo(400);
  }

  @Test
  void plan_noSpeedIsKnownOrCountsFollowNone_givesNoTrials() {
    PlannedRounds even = new PlannedRounds("uniform", 2, Map.of("e0", NANOS_PER_ROW));
    for (PlannedRounds any : List.of(rounds, even)) {
      RoundPlan plan =
          any.plan(
              executors(/* n= */ 2, /* slots= */ 1),
              blocks(/* bytes= */ 10_000),
              Collections.nCopies(12, List.of("e0", "e1")),
              /* givesTrials= */ true);
      assertThat(plan.trials()).isEmpty();
      assertThat(plan.placement().rows()).containsExactly(60_000, 60_000);
    }
  }

  private static PlannedRounds oneUnknown() {
    return new PlannedRounds("adaptive", 3, Map.of("e0", NANOS_PER_ROW, "e2", NANOS_PER_ROW));
  }

  private static RoundPlan planWithTrials(PlannedRounds rounds, IntFunction<List<String>> holders) {
    return rounds.plan(
        executors(/* n= */ 3, /* slots= */ 1),
        blocks(/* bytes= */ 10_000),
        IntStream.range(0, 12).mapToObj(holders).toList(),
        /* givesTrials= */ true);
  }

  private static List<String> trials(RoundPlan plan) {
    return plan.trials().stream()
        .map(task -> task.executorId() + ": " + task.spans().stream().map(Span::block).toList())
        .toList();
  }

  private static PlannedRounds packed(String policy, double ratio) {
    Map<String, Double> packing = Map.of("e0", NANOS_PER_ROW, "e1", ratio * NANOS_PER_ROW);
    return new PlannedRounds(policy, 2, Map.of(), packing);
  }

  private static Observation seen(String executor) {
    return new Observation(
        executor,
        /* slots= */ 1,
        /* rows= */ 30_000,
        /* nanos= */ 3e7,
        /* overheadNanos= */ 0,
        /* isCompleted= */ true,
        /* isContended= */ false);
  }

  @Test
  void plan_noMemberHoldsABlock_isFetchedByTasksAndContendsNone() {
    RoundPlan plan = planHalves(rounds, AMPLE, "gone");
    assertThat(plan.placement().fetches()).isNotEmpty();
    assertThat(plan.contended()).isEmpty();
  }

  @Test
  void plan_othersHoldWhatIsFetchedToo_areNotContended() {
    RoundPlan plan = planHalves(fastAndSlow(), AMPLE, "e1", "driver");
    assertThat(plan.placement().moves()).isNotEmpty();
    assertThat(plan.contended()).isEmpty();
  }

  @Test
  void plan_executorsHaveMoreSlotsThanBefore_hasTasksForThem() {
    assertThat(rounds.plan(executors(/* n= */ 2, /* slots= */ 1)).tasks()).hasSize(2);
    assertThat(rounds.plan(executors(/* n= */ 2, /* slots= */ 2)).tasks()).hasSize(4);
  }

  @Test
  void plan_replicasUnusedForTenRounds_dropsThemOnce() {
    List<Executor> executors = executors(/* n= */ 2, /* slots= */ 1);
    Blocks blocks = blocks(/* bytes= */ 10_000);
    List<List<String>> holders = Collections.nCopies(12, List.of("e0", "e1"));
    for (int round = 1; round <= 10; round++) {
      assertThat(dropped(rounds.plan(executors, blocks, holders))).as("round %s", round).isZero();
    }
    RoundPlan dropping = rounds.plan(executors, blocks, holders);
    assertThat(dropped(dropping)).isEqualTo(12);

    Set<Integer> ofFirst =
        dropping.placement().spans().get(0).stream().map(Span::block).collect(Collectors.toSet());
    List<List<String>> left =
        IntStream.range(0, 12)
            .mapToObj(block -> List.of(ofFirst.contains(block) ? "e0" : "e1"))
            .toList();
    RoundPlan next = rounds.plan(executors, blocks, left);
    assertThat(next.placement().moves()).isEmpty();
    assertThat(next.placement().spans()).hasToString(dropping.placement().spans().toString());
    assertThat(dropped(next)).isZero();
  }

  private static int dropped(RoundPlan plan) {
    return plan.tasks().stream().mapToInt(task -> task.stale().size()).sum();
  }

  private static PlannedRounds fastAndSlow() {
    return new PlannedRounds("adaptive", 2, Map.of("e0", NANOS_PER_ROW, "e1", 4 * NANOS_PER_ROW));
  }

  /** Of two executors that hold one half each. */
  private static RoundPlan planHalves(
      PlannedRounds rounds, long freeBytes, String... holdersOfSecondHalf) {
    List<List<String>> holders =
        IntStream.range(0, 12)
            .mapToObj(block -> block < 6 ? List.of("e0") : List.of(holdersOfSecondHalf))
            .toList();
    List<Executor> executors =
        executors(/* n= */ 2, /* slots= */ 1).stream()
            .map(one -> new Executor(one.id(), one.host(), one.slots(), freeBytes, one.device()))
            .toList();
    return rounds.plan(executors, blocks(/* bytes= */ 10_000), holders);
  }

  @Test
  void roundLog_plan_hasUnitsAndRowsOfEachExecutor(@TempDir Path folder) throws IOException {
    PlannedRounds uneven = fastAndSlow();
    RoundPlan plan = uneven.plan(executors(/* n= */ 2, /* slots= */ 1));
    try (RoundLog log =
        RoundLog.in(folder.toString(), "app", 1, "lbfgs", "adaptive", new Configuration())) {
      RoundLog.Entry entry = log.round(/* round= */ 1, /* attempt= */ 1);
      entry.planned(plan);
      entry.complete(List.of(), uneven.allocator);
    }

    JsonNode round = new ObjectMapper().readTree(folder.resolve("app-call-1.jsonl").toFile());
    assertThat(round.get("workers"))
        .extracting(w -> w.get("id").asText())
        .containsExactly("e0", "e1");
    assertThat(round.get("workers"))
        .extracting(w -> w.get("units").asInt())
        .containsExactly(plan.units()[0], plan.units()[1]);
    assertThat(round.get("workers"))
        .extracting(w -> w.get("rows").asLong())
        .containsExactly(plan.placement().rows()[0], plan.placement().rows()[1]);
  }
}
