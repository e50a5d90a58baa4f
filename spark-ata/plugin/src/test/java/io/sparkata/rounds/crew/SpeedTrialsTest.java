package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.cluster.ResidentRound;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.rounds.RoundPlan;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundTask;
import io.sparkata.rounds.TaskReport;
import io.sparkata.rounds.crew.CrewProtocol.Brought;
import io.sparkata.testing.CapturedLog;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;

class SpeedTrialsTest {
  private static final Executor TWO_SLOTS =
      new Executor("a", "host", /* slots= */ 2, /* freeBytes= */ 0, Device.CPU);
  private static final Executor ONE_SLOT =
      new Executor("b", "host", /* slots= */ 1, /* freeBytes= */ 0, Device.CPU);

  private final SpeedTrials trials = new SpeedTrials();
  private final RoundResult<Long> result = new RoundResult<>(7L);

  @Test
  void take_timesFall_showASpeedOnlyFromTheFirstThatDoesNot() {
    assertThat(showsASpeed("b", 60_000, 9_000, 1_000, 800, 100))
        .containsExactly(false, false, false, true, false);
    assertThat(showsASpeed("a", 500, 2_000)).as("another executor").containsExactly(false, true);
  }

  @Test
  void take_timesFallForEver_showASpeedAtTheEighth() {
    assertThat(showsASpeed("b", 1 << 9, 1 << 8, 1 << 7, 64, 32, 16, 8, 4, 2))
        .containsExactly(false, false, false, false, false, false, false, true, false);
  }

  @Test
  void take_noRowIsSampled_saysNothing() {
    showsASpeed("b", 100);
    assertThat(take("b", report("b", 0, 1000))).isEmpty();
    assertThat(take("b", report("b", 10, 1000)))
        .containsExactly(
            new ResidentRound.Task("b", 1, 10, 1000, 50, ResidentRound.OF_TRIAL, false));
  }

  /** Both slots at once: each is twice as slow as alone, and that is the executor's speed. */
  @Test
  void take_tasksOfTwoSlots_areOneTrial() {
    assertThat(take("a", report("a", 10, 900), report("a", 10, 100))).isEmpty();
    assertThat(take("a", report("a", 10, 500), report("a", 20, 1000)))
        .containsExactly(
            new ResidentRound.Task("a", 2, 10, 500, 50, ResidentRound.OF_TRIAL, false),
            new ResidentRound.Task("a", 2, 20, 1000, 50, ResidentRound.OF_TRIAL, false));
  }

  @Test
  void take_whatItFetched_isMovedInTheRoundAndNothingElseCounts() {
    TaskReport fetched = report("b", 10, 1000);
    fetched.fetchedBytes = 4;
    take("b", fetched);

    assertThat(result.sum()).isEqualTo(7);
    assertThat(result.covered()).isEmpty();
    assertThat(result.reports())
        .singleElement()
        .usingRecursiveComparison()
        .isEqualTo(fetched.ofTrial());
  }

  @Test
  void due_timeHasShownASpeed_restsForTwentyRounds() {
    List<RoundTask> planned = List.of(trial(ONE_SLOT), trial(TWO_SLOTS));
    assertThat(trials.due(planned)).isEqualTo(planned);
    showsASpeed("b", 100, 100);

    for (int round = 0; round < 20; round++) {
      assertThat(trials.due(planned)).containsExactly(planned.get(1));
    }
    assertThat(trials.due(planned)).as("it was forgotten").isEqualTo(planned);
  }

  @Test
  void canShow_fourTrialsAreLost_isFalseAndIsSaidOnce() {
    try (CapturedLog log = CapturedLog.of("io.sparkata")) {
      CrewMessages.Done failed = CrewMessages.Done.failed(1, new ArithmeticException("overflow"));
      CrewMessages.Done unreadable = CrewMessages.Done.of(1, new byte[0]);
      List<Brought> lost =
          List.of(
              new Brought("b", failed, 10),
              new Brought("b", unreadable, 10),
              new Brought("b", failed, 10));
      assertThat(
              trials.take(
                  lost,
                  plan(),
                  result,
                  bytes -> {
                    throw new IllegalStateException("no object");
                  }))
          .isEmpty();
      assertThat(trials.canShow("b")).isTrue();
      assertThat(log.messages(Level.INFO)).isEmpty();
      trials.lost("b", "the crew has ended before it");
      trials.lost("b", "the crew has ended before it");

      assertThat(trials.canShow("b")).isFalse();
      assertThat(trials.canShow("a")).isTrue();
      assertThat(log.messages(Level.INFO))
          .containsExactly(
              "Spark ATA: executor b gets rows, though its speed is unknown: 4 trials have failed,"
                  + " the last one: the crew has ended before it");
    }
    assertThat(result.reports()).isEmpty();
  }

  private List<Boolean> showsASpeed(String executor, long... nanosPerRow) {
    return Arrays.stream(nanosPerRow)
        .mapToObj(nanos -> !take(executor, report(executor, 10, 10 * nanos)).isEmpty())
        .toList();
  }

  private List<ResidentRound.Task> take(String executor, TaskReport... reports) {
    RoundResult<Long> brought = new RoundResult<>(1000L);
    Arrays.stream(reports).forEach(brought::report);
    Brought one =
        new Brought(executor, CrewMessages.Done.of(/* round= */ 1, new byte[0]), /* nanos= */ 9);
    return trials.take(List.of(one), plan(), result, bytes -> brought);
  }

  private static TaskReport report(String executor, long sampled, long kernelNanos) {
    TaskReport report = new TaskReport(executor);
    report.sampledRows = sampled;
    report.kernelNanos = kernelNanos;
    report.fetchNanos = 50;
    return report;
  }

  private static RoundTask trial(Executor executor) {
    BlockRef block = new BlockRef(1, 0, 0, 0, /* rows= */ 10, /* bytes= */ 100, 1);
    return new RoundTask(
        executor.id(),
        executor.host(),
        executor.slots(),
        List.of(new Span(0, block, 0, 10)),
        /* stale= */ List.of(),
        /* wanted= */ List.of(),
        /* isTrial= */ true);
  }

  private static RoundPlan plan() {
    PlacementPlan placement =
        new PlacementPlan(
            Members.of(List.of(TWO_SLOTS, ONE_SLOT)),
            List.of(List.of(), List.of()),
            List.of(),
            List.of(),
            /* refused= */ 0,
            /* cuts= */ 0);
    return new RoundPlan(
        new int[2],
        /* budget= */ 0,
        Optional.empty(),
        placement,
        /* tasks= */ List.of(),
        /* trials= */ List.of(),
        /* contended= */ Set.of(),
        /* allocateNanos= */ 0,
        /* placeNanos= */ 0);
  }
}
