package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.Members;
import io.sparkata.cluster.ResidentRound;
import io.sparkata.placement.PlacementPlan;
import io.sparkata.rounds.RoundPlan;
import io.sparkata.rounds.TaskReport;
import io.sparkata.rounds.crew.CrewProtocol.Brought;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TaskTimesTest {
  private static final Members MEMBERS =
      Members.of(
          List.of(
              new Executor("a", "host", /* slots= */ 3, /* freeBytes= */ 0, Device.CPU),
              new Executor("b", "host", /* slots= */ 1, /* freeBytes= */ 0, Device.CPU)));

  private final TaskTimes times = new TaskTimes();

  @Test
  void ofRound_tasksOfAnExecutor_eachTookItsAnswersTime() {
    Brought brought =
        new Brought("a", CrewMessages.Done.of(/* round= */ 1, new byte[0]), /* nanos= */ 1000);

    assertThat(times.ofRound(brought, List.of(report("a", 10, 700), report("a", 20, 990)), plan()))
        .containsExactly(
            new ResidentRound.Task("a", 3, 10, 700, 50, 250, /* contended= */ true),
            new ResidentRound.Task("a", 3, 20, 990, 50, 0, /* contended= */ true));
  }

  @Test
  void ofTrial_timesFall_countOnlyFromTheFirstThatDoesNot() {
    assertThat(countsOfTrials("b", 60_000, 9_000, 1_000, 800, 100))
        .containsExactly(false, false, false, true, false);
    assertThat(countsOfTrials("a", 500, 2_000)).as("another executor").containsExactly(false, true);
  }

  @Test
  void ofTrial_timesFallForEver_countFromTheEighthOn() {
    assertThat(countsOfTrials("b", 1 << 9, 1 << 8, 1 << 7, 64, 32, 16, 8, 4, 2))
        .containsExactly(false, false, false, false, false, false, false, true, true);
  }

  @Test
  void ofTrial_noRowIsSampled_saysNothing() {
    assertThat(countsOfTrials("b", 100)).containsExactly(false);
    assertThat(times.ofTrial(List.of(report("b", 0, 1000)), plan())).isEmpty();
    assertThat(times.ofTrial(List.of(report("b", 10, 1000)), plan()))
        .containsExactly(new ResidentRound.Task("b", 1, 10, 1000, 50, 0, /* contended= */ false));
  }

  private List<Boolean> countsOfTrials(String executor, long... nanosPerRow) {
    return Arrays.stream(nanosPerRow)
        .mapToObj(
            nanos -> !times.ofTrial(List.of(report(executor, 10, 10 * nanos)), plan()).isEmpty())
        .toList();
  }

  private static TaskReport report(String executor, long sampled, long kernelNanos) {
    TaskReport report = new TaskReport(executor);
    report.sampledRows = sampled;
    report.kernelNanos = kernelNanos;
    report.fetchNanos = 50;
    return report;
  }

  private static RoundPlan plan() {
    PlacementPlan placement =
        new PlacementPlan(
            MEMBERS, List.of(List.of(), List.of()), List.of(), List.of(), /* refused= */ 0, 0);
    return new RoundPlan(
        new int[2],
        /* budget= */ 0,
        Optional.empty(),
        placement,
        /* tasks= */ List.of(),
        /* trials= */ List.of(),
        /* contended= */ Set.of("a"),
        /* allocateNanos= */ 0,
        /* placeNanos= */ 0);
  }
}
