package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.Allocator;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.allocation.Prior;
import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Blocks;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.AtaRuntime.Executor;
import io.sparkata.cluster.CallFeedback;
import io.sparkata.cluster.CallFeedback.Observation;
import io.sparkata.cluster.Device;
import io.sparkata.memory.SpeedMemory;
import io.sparkata.memory.Speeds;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.rounds.RoundPlanner.Planned;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Times beside the kernel, from a task's end to the executors' rows. */
class RoundPlannerTest {
  private static final int ROWS = 120_000;
  private static final double NANOS_PER_ROW = 1000;

  private final Allocator allocator = adaptive(PolicySettings.defaults());
  private final RoundPlanner planner = planner(allocator);
  private int iteration;

  /** Two slots: the kernels run side by side, and so do the tasks' other parts. */
  @Test
  void plan_executorWithATimeBesideItsKernels_getsItsRowsInLess() {
    long[] rows = playRounds(/* executors= */ 2, /* slots= */ 2, 0, 6e6);

    // With a and b rows, 0.5 a 500 = 0.5 b 500 + 6,000,000 and a + b = 120,000.
    assertThat(rows[0]).isCloseTo(72_000L, within(2_000L));
    assertThat(allocator.fixedTime("e1") * ROWS / 2 / 128).isCloseTo(6e6, within(1.0));
  }

  @Test
  void plan_moreExecutorsThanBefore_countsTheSameTime() {
    playRounds(/* executors= */ 2, /* slots= */ 1, 0, 6e6);
    double before = allocator.fixedTime("e1") * ROWS / 2 / 128;

    Planned planned = plan(executors(/* n= */ 4, /* slots= */ 1));

    assertThat(allocator.fixedTime("e1") * planned.rowsPerUnit())
        .isCloseTo(before, within(1.0))
        .isCloseTo(6e6, within(1.0));
  }

  /**
   * Known to be four times as fast, and without room for what it does not hold. A block takes 0.1
   * seconds to fetch, or next to nothing. Not left to what moves cost: there is no plan to keep
   * yet.
   */
  @Test
  void plan_fastExecutorWithoutRoom_keepsToWhatItHoldsUnlessFetchingIsCheap() {
    PlacementPlan dear = planWithoutRoom(/* blockBytes= */ 10_000_000);
    assertThat(dear.rows()).containsExactly(60_000, 60_000);
    assertThat(dear.moves()).isEmpty();

    PlacementPlan cheap = planWithoutRoom(/* blockBytes= */ 10_000);
    assertThat(cheap.rows()[0]).isGreaterThan(85_000);
    assertThat(cheap.moves()).isNotEmpty();
  }

  /** The slow one alone holds what the fast one fetches, as long as nothing stays there. */
  @Test
  void plan_executorServesFetches_isNotLearnedFromInEveryOtherRound() {
    RoundPlanner planner = plannerOfFastAndSlow();
    for (int round = 1; round <= 4; round++) {
      Planned planned = planHalves(planner, round, "e1");
      assertThat(planned.plan().moves()).isNotEmpty();
      assertThat(planned.unlearned())
          .as("round %s", round)
          .isEqualTo(round % 2 == 1 ? Set.of("e1") : Set.of());
      long[] rows = planned.plan().rows();
      assertThat(planned.expectedRows(/* fraction= */ 0.5))
          .containsExactly(rows[0] / 2, round % 2 == 1 ? CallFeedback.UNLEARNED : rows[1] / 2);
    }
  }

  @Test
  void plan_executorsOfUnknownSpeed_areLearnedFrom() {
    RoundPlanner planner = planner(adaptive(PolicySettings.defaults()));
    Planned planned = planHalves(planner, /* iteration= */ 1, "gone");
    assertThat(planned.plan().moves()).isNotEmpty();
    assertThat(planned.unlearned()).isEmpty();
  }

  @Test
  void plan_othersHoldWhatIsFetchedToo_isLearnedFrom() {
    RoundPlanner planner = plannerOfFastAndSlow();
    Planned planned = planHalves(planner, /* iteration= */ 1, "e1", "driver");
    assertThat(planned.plan().moves()).isNotEmpty();
    assertThat(planned.unlearned()).isEmpty();
  }

  @Test
  void plan_nothingHasChanged_hasTheSameTasks() {
    List<List<String>> holders = Collections.nCopies(12, List.of("e0", "e1"));
    Blocks blocks = blocks(/* bytes= */ 10_000);
    Planned first = planner.plan(1, executors(/* n= */ 2, /* slots= */ 1), blocks, holders);
    Planned second = planner.plan(2, executors(/* n= */ 2, /* slots= */ 1), blocks, holders);
    assertThat(second.tasks()).isSameAs(first.tasks());
  }

  @Test
  void plan_executorsHaveMoreSlotsThanBefore_hasTasksForThem() {
    List<List<String>> holders = Collections.nCopies(12, List.of("e0", "e1"));
    Blocks blocks = blocks(/* bytes= */ 10_000);
    assertThat(planner.plan(1, executors(/* n= */ 2, /* slots= */ 1), blocks, holders).tasks())
        .hasSize(2);
    assertThat(planner.plan(2, executors(/* n= */ 2, /* slots= */ 2), blocks, holders).tasks())
        .hasSize(4);
  }

  /** Others have taken its slots since, some or all; what it did it did with those of the plan. */
  @Test
  void observe_slotsTakenSinceThePlan_countsThoseOfThePlan() {
    List<List<String>> holders = Collections.nCopies(12, List.of("e0", "e1"));
    planner.plan(1, executors(/* n= */ 2, /* slots= */ 4), blocks(/* bytes= */ 10_000), holders);
    List<Observation> both =
        List.of(
            new Observation("e0", 1_000, 1e6, /* overheadNanos= */ 0, /* isCompleted= */ true),
            new Observation("e1", 1_000, 1e6, /* overheadNanos= */ 0, /* isCompleted= */ true));

    planner.observe(both, executors(/* n= */ 1, /* slots= */ 1));

    assertThat(allocator.meanTime("e0")).isCloseTo(1e3 / 4, within(1e-6));
    assertThat(allocator.meanTime("e1")).isCloseTo(1e3 / 4, within(1e-6));
  }

  @Test
  void plan_replicasUnusedForTenRounds_dropsThemOnce() {
    List<Executor> executors = executors(/* n= */ 2, /* slots= */ 1);
    Blocks blocks = blocks(/* bytes= */ 10_000);
    List<List<String>> holders = Collections.nCopies(12, List.of("e0", "e1"));
    for (int round = 1; round <= 11; round++) {
      assertThat(dropped(planner.plan(round, executors, blocks, holders)))
          .as("round %s", round)
          .isZero();
    }
    Planned dropping = planner.plan(12, executors, blocks, holders);
    assertThat(dropped(dropping)).isEqualTo(12);

    Set<Integer> ofFirst =
        dropping.plan().spans().get(0).stream().map(Span::block).collect(Collectors.toSet());
    List<List<String>> left =
        IntStream.range(0, 12)
            .mapToObj(block -> List.of(ofFirst.contains(block) ? "e0" : "e1"))
            .toList();
    Planned next = planner.plan(13, executors, blocks, left);
    assertThat(next.plan().moves()).isEmpty();
    assertThat(next.plan().spans()).isSameAs(dropping.plan().spans());
    assertThat(dropped(next)).isZero();
  }

  private static int dropped(Planned planned) {
    return planned.tasks().stream().mapToInt(task -> task.stale().size()).sum();
  }

  /** The first round of two executors that hold one half each. */
  private static PlacementPlan planWithoutRoom(long blockBytes) {
    return planHalves(plannerOfFastAndSlow(), /* iteration= */ 1, blockBytes, List.of("e1")).plan();
  }

  private static RoundPlanner plannerOfFastAndSlow() {
    Map<String, Prior> priors =
        Map.of("e0", new Prior(NANOS_PER_ROW, 64), "e1", new Prior(4 * NANOS_PER_ROW, 64));
    return planner(adaptive(PolicySettings.defaults().withPriors(priors)));
  }

  private static Planned planHalves(
      RoundPlanner planner, int iteration, String... holdersOfSecondHalf) {
    return planHalves(planner, iteration, /* blockBytes= */ 10_000, List.of(holdersOfSecondHalf));
  }

  private static Planned planHalves(
      RoundPlanner planner, int iteration, long blockBytes, List<String> holdersOfSecondHalf) {
    List<List<String>> holders =
        IntStream.range(0, 12)
            .mapToObj(block -> block < 6 ? List.of("e0") : holdersOfSecondHalf)
            .toList();
    return planner.plan(
        iteration, executors(/* n= */ 2, /* slots= */ 1), blocks(blockBytes), holders);
  }

  @Test
  void roundLog_executorWithATimeBesideItsKernels_saysHowLong(@TempDir Path folder)
      throws IOException {
    playRounds(/* executors= */ 2, /* slots= */ 1, 0, 6e6);
    List<Executor> live = executors(/* n= */ 2, /* slots= */ 1);
    try (RoundLog log = RoundLog.in(folder.toString(), "app", 1, "adaptive", new Configuration())) {
      RoundLog.Entry entry = log.round(/* round= */ 1, /* attempt= */ 1);
      entry.planned(live, live, plan(live));
      entry.complete(new RoundSum(), allocator);
    }

    JsonNode workers =
        new ObjectMapper().readTree(folder.resolve("app-call-1.jsonl").toFile()).get("workers");
    assertThat(workers.get(0).has("estimatedFixedNanos")).isFalse();
    assertThat(workers.get(1).get("estimatedFixedNanos").asDouble()).isCloseTo(6e6, within(1.0));
  }

  @Test
  void roundLog_executorThatRests_hasNothing(@TempDir Path folder) throws IOException {
    List<Executor> live = executors(/* n= */ 3, /* slots= */ 1);
    List<Executor> serving = List.of(live.get(0), live.get(2));
    Planned planned = plan(serving);
    try (RoundLog log = RoundLog.in(folder.toString(), "app", 1, "adaptive", new Configuration())) {
      RoundLog.Entry entry = log.round(/* round= */ 1, /* attempt= */ 1);
      entry.planned(live, serving, planned);
      entry.complete(new RoundSum(), allocator);
    }

    JsonNode round = new ObjectMapper().readTree(folder.resolve("app-call-1.jsonl").toFile());
    assertThat(round.get("resting").asInt()).isEqualTo(1);
    assertThat(round.get("workers"))
        .extracting(w -> w.get("id").asText())
        .containsExactly("e0", "e1", "e2");
    assertThat(round.get("workers"))
        .extracting(w -> w.get("units").asInt())
        .containsExactly(planned.units()[0], 0, planned.units()[1]);
    assertThat(round.get("workers"))
        .extracting(w -> w.get("rows").asLong())
        .containsExactly(planned.plan().rows()[0], 0L, planned.plan().rows()[1]);
  }

  /** Returns the rows of the last round. */
  private long[] playRounds(int executors, int slots, double... overheadNanos) {
    long[] rows = {};
    for (int round = 0; round < 12; round++) {
      List<Executor> live = executors(executors, slots);
      Planned planned = plan(live);
      rows = planned.plan().rows();
      List<Observation> seen = new ArrayList<>();
      for (RoundPartition task : planned.tasks()) {
        int i = Integer.parseInt(task.executorId().substring(1));
        double sampled = task.rows() * 0.5;
        seen.add(
            new Observation(
                task.executorId(),
                sampled,
                sampled * NANOS_PER_ROW,
                overheadNanos[i],
                /* isCompleted= */ true));
      }
      planner.observe(seen, live);
    }
    return rows;
  }

  private Planned plan(List<Executor> executors) {
    List<String> all = executors.stream().map(Executor::id).toList();
    List<List<String>> holders = IntStream.range(0, 12).mapToObj(block -> all).toList();
    return planner.plan(++iteration, executors, blocks(/* bytes= */ 1000), holders);
  }

  private static Allocator adaptive(PolicySettings settings) {
    return new Allocator(
        AllocationPolicies.create("adaptive", settings, RoundPlannerTest.class.getClassLoader()));
  }

  private static RoundPlanner planner(Allocator allocator) {
    Speeds speeds = new Speeds(Optional.empty(), /* failsOnError= */ true, Clock.systemUTC());
    return new RoundPlanner(
        /* fraction= */ 0.5,
        /* iterations= */ 100,
        allocator,
        new SpeedMemory(speeds, "kernel", /* bytesPerRow= */ 8));
  }

  private static Blocks blocks(long bytes) {
    return Blocks.of(
        IntStream.range(0, 12)
            .mapToObj(i -> new BlockRef(1, i, 0, 10_000L * i, 10_000, bytes, /* stamp= */ 1))
            .toList());
  }

  private static List<Executor> executors(int n, int slots) {
    return IntStream.range(0, n)
        .mapToObj(i -> new Executor("e" + i, "host", slots, /* freeBytes= */ 0, Device.CPU))
        .toList();
  }
}
