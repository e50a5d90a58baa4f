package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.RowSelection;
import io.sparkata.blocks.Span;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.cluster.ResidentRound;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.rounds.Round;
import io.sparkata.rounds.RoundPlan;
import io.sparkata.rounds.RoundResult;
import io.sparkata.rounds.RoundTask;
import io.sparkata.rounds.Summand;
import io.sparkata.rounds.TaskReport;
import io.sparkata.rounds.crew.CrewProtocol.Brought;
import io.sparkata.testing.CapturedLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.logging.log4j.Level;
import org.apache.spark.TaskContext;
import org.junit.jupiter.api.Test;

class SpeedTrialsTest {
  private static final Executor TWO_SLOTS =
      new Executor("a", "host", /* slots= */ 2, /* freeBytes= */ 0, Device.CPU);
  private static final Executor ONE_SLOT =
      new Executor("b", "host", /* slots= */ 1, /* freeBytes= */ 0, Device.CPU);

  private static final RowSelection ROWS = RowSelection.all();

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
  void handout_timeHasShownASpeed_restsForTwentyRounds() {
    assertThat(handedOut()).containsExactlyInAnyOrder("a", "b");
    showsASpeed("b", 100, 100);

    for (int round = 0; round < 20; round++) {
      assertThat(handedOut()).containsExactly("a");
    }
    assertThat(handedOut()).as("it was forgotten").containsExactlyInAnyOrder("a", "b");
  }

  private Set<String> handedOut() {
    return trials.handout(round(LongSum.undisturbed()), bytes -> new byte[1]).tasks().keySet();
  }

  /** What the caller destroys with its round would not be there. */
  @Test
  void handout_summandOfTheRound_isTheLastingOne() {
    List<Object> sent = new ArrayList<>();

    Handout handout =
        trials.handout(
            round(new ShortLived()),
            work -> {
              sent.add(work);
              return new byte[] {(byte) sent.size()};
            });

    assertThat(sent.get(0)).isEqualTo(new RoundShared<>(LongSum.undisturbed(), ROWS));
    assertThat(handout.shared()).containsExactly(1);
    assertThat(handout.tasks()).containsOnlyKeys("a", "b");
    assertThat(handout.tasks().get("a")).hasDimensions(2, 1);
  }

  @Test
  void handout_cannotBeSent_isNothingAndCountsAsLostOncePerExecutor() {
    for (int round = 1; round <= 4; round++) {
      assertThat(trials.canShow("a")).as("before round %s", round).isTrue();
      Handout handout =
          trials.handout(
              round(LongSum.undisturbed()),
              work -> {
                throw new IllegalArgumentException("no bytes");
              });
      assertThat(handout).isSameAs(Handout.NOTHING);
    }
    assertThat(trials.canShow("a")).isFalse();
  }

  @Test
  void handout_largerThanAMessage_isNothing() {
    Handout handout =
        trials.handout(round(LongSum.undisturbed()), work -> new byte[(32 << 20) + 1]);

    assertThat(handout).isSameAs(Handout.NOTHING);
  }

  /** Must not be sent with a trial. */
  private static final class ShortLived implements Summand<Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public LongSum lasting() {
      return LongSum.undisturbed();
    }

    @Override
    public Long zero() {
      return 0L;
    }

    @Override
    public Long merge(Long left, Long right) {
      return left + right;
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public Partial<Long> begin(TaskContext task) {
      throw new IllegalStateException("the round has ended");
    }
  }

  private static Round<Long> round(Summand<Long> summand) {
    List<RoundTask> planned = List.of(trial(ONE_SLOT), trial(TWO_SLOTS), trial(TWO_SLOTS));
    return new Round<>(summand, ROWS, plan(planned), /* left= */ 10);
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
                  plan(List.of()),
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
    return trials.take(List.of(one), plan(List.of()), result, bytes -> brought);
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

  private static RoundPlan plan(List<RoundTask> trials) {
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
        trials,
        /* contended= */ Set.of(),
        /* allocateNanos= */ 0,
        /* placeNanos= */ 0);
  }
}
