package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.SlowTasks.Held;
import io.sparkata.spark.TaskAttempts.Attempt;
import io.sparkata.spark.TaskAttempts.Second;
import io.sparkata.spark.TaskAttempts.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which task gets a second attempt. */
class SlowTasksTest {
  private static final Set<String> NONE = Set.of();
  private static final List<Executor> IDLE = List.of(executor("a"));

  @Test
  void slowest_beforeAnyTaskHasEnded_isNone() {
    assertThat(slowest(running(0, "a", 9000), running(1, "b", 9000))).isEmpty();
  }

  @Test
  void slowest_underAQuarterHasEnded_isNone() {
    List<Attempt> attempts = new ArrayList<>(List.of(done(0, "a", 10)));
    for (int task = 1; task < 4; task++) {
      attempts.add(running(task, "b", 9000));
    }
    assertThat(slowest(attempts, IDLE, NONE)).isPresent();
    attempts.add(running(4, "b", 9000));
    assertThat(slowest(attempts, IDLE, NONE)).isEmpty();
  }

  @Test
  void slowest_oneAndAQuarterTimesTheMedian_isTheTask() {
    Attempt slow = running(2, "c", 1250);
    assertThat(slowest(done(0, "a", 800), done(1, "b", 1000), slow))
        .contains(new Second(slow, "a"));
    assertThat(slowest(done(0, "a", 1001), slow)).isEmpty();
  }

  @Test
  void slowest_underHalfASecond_isNone() {
    assertThat(slowest(done(0, "a", 10), running(1, "b", 499))).isEmpty();
    assertThat(slowest(done(0, "a", 10), running(1, "b", 500))).isPresent();
  }

  @Test
  void slowest_severalTasks_isTheLongest() {
    assertThat(slowest(done(0, "a", 400), running(1, "b", 2000), running(2, "c", 3000)))
        .contains(new Second(running(2, "c", 3000), "a"));
  }

  @Test
  void slowest_noOtherHostIsIdle_isNone() {
    List<Attempt> attempts = List.of(done(0, "a", 400), running(1, "b", 2000));
    assertThat(slowest(attempts, List.of(), NONE)).isEmpty();
    assertThat(slowest(attempts, List.of(executor("b")), NONE)).isEmpty();
    assertThat(slowest(attempts, List.of(executor("b"), executor("a")), NONE)).isPresent();
  }

  @Test
  void slowest_executorsThatWereOvertaken_areFirstAndAfterOneMedian() {
    List<Attempt> attempts =
        List.of(
            done(0, "a", 600),
            running(1, "b", 599),
            running(2, "c", 2000),
            running(3, "d", 600),
            running(4, "e", 700));
    assertThat(slowest(attempts.subList(0, 2), IDLE, Set.of("b"))).isEmpty();
    assertThat(slowest(attempts.subList(0, 4), IDLE, Set.of("b", "d")))
        .contains(new Second(running(3, "d", 600), "a"));
    List<Attempt> two =
        List.of(done(5, "a", 600), attempts.get(0), attempts.get(3), attempts.get(4));
    assertThat(slowest(two, IDLE, Set.of("d", "e")))
        .contains(new Second(running(4, "e", 700), "a"));
  }

  /** A slow one would take as long again, and no third attempt follows. */
  @Test
  void slowest_severalExecutorsAreIdle_isDoneByTheFastestThatWasNotOvertaken() {
    List<Attempt> attempts =
        List.of(
            done(0, "a", 900),
            done(1, "b", 500),
            done(2, "b", 5), // an empty partition
            done(5, "b", 510),
            done(3, "c", 400),
            running(4, "d", 1799));
    List<Executor> idle = List.of(executor("new"), executor("a"), executor("b"), executor("c"));

    assertThat(helper(attempts, idle, NONE)).contains("c");
    assertThat(helper(attempts, idle, Set.of("c"))).contains("b");
    assertThat(helper(attempts, idle, Set.of("c", "b", "a"))).contains("new");
    assertThat(helper(attempts, idle.subList(1, 4), Set.of("c", "b", "a")))
        .as("less than half as long for its own task")
        .contains("c");
    assertThat(helper(attempts, idle.subList(1, 2), Set.of("c", "b", "a"))).isEmpty();
  }

  private static Optional<String> helper(
      List<Attempt> attempts, List<Executor> idle, Set<String> overtaken) {
    return slowest(attempts, idle, overtaken).map(Second::executorId);
  }

  private static Executor executor(String id) {
    return new Executor(id, /* host= */ id, /* slots= */ 1, /* freeBytes= */ 0, Device.CPU);
  }

  /** The other executor would fetch the partition from this one, whose CPU that takes. */
  @Test
  void slowest_heldPartition_isLateOnceTheOthersHaveBeenDoneForAsLongAsOneTook() {
    assertThat(slowest(ended(0, "a", 100, 900), held(1, "b", 999))).isEmpty();
    assertThat(slowest(ended(0, "a", 100, 900), held(1, "b", 1000))).isPresent();
    assertThat(slowest(ended(0, "a", 1000, 999), held(1, "b", 1999))).isEmpty();
    assertThat(slowest(ended(0, "a", 1000, 1000), held(1, "b", 2000))).isPresent();
    assertThat(slowest(ended(0, "a", 3000, 6100), ended(1, "c", 6100, 2999), held(2, "b", 9100)))
        .isEmpty();
    assertThat(slowest(ended(0, "a", 3000, 6100), ended(1, "c", 6100, 3000), held(2, "b", 9100)))
        .isPresent();
    assertThat(
            SlowTasks.slowest(
                List.of(ended(0, "a", 1000, 9000), held(1, "b", 10_000)),
                IDLE,
                NONE,
                new Held(/* isCaching= */ false, Map.of(), one -> false)))
        .isEmpty();
  }

  @Test
  void slowest_heldPartitionOfAnExecutorThatWonRaces_waitsTwiceAsLongForEach() {
    for (int won = 0; won < 3; won++) {
      long least = 1000L << won;
      Held kept = new Held(/* isCaching= */ false, Map.of("b", won), one -> true);
      Attempt done = ended(0, "a", 100, least - 100);
      assertThat(SlowTasks.slowest(List.of(done, held(1, "b", least - 1)), IDLE, NONE, kept))
          .isEmpty();
      assertThat(SlowTasks.slowest(List.of(done, held(1, "b", least)), IDLE, NONE, kept))
          .isPresent();
    }
  }

  /** Where the partition is computed now it stays for the stages that follow. */
  @Test
  void slowest_heldPartitionOfAStageThatCaches_isSlowNearlyAsAnyOther() {
    Held caching = new Held(/* isCaching= */ true, Map.of("c", 1), one -> true);
    Attempt done = ended(0, "a", 480, 120);
    assertThat(SlowTasks.slowest(List.of(done, held(1, "b", 599)), IDLE, NONE, caching)).isEmpty();
    assertThat(SlowTasks.slowest(List.of(done, held(1, "b", 600)), IDLE, NONE, caching))
        .isPresent();
    assertThat(SlowTasks.slowest(List.of(done, held(1, "c", 999)), IDLE, NONE, caching)).isEmpty();
    Attempt justDone = ended(0, "a", 480, 119);
    assertThat(SlowTasks.slowest(List.of(justDone, held(1, "b", 600)), IDLE, NONE, caching))
        .as("as a balanced stage ends")
        .isEmpty();
    Held silent = new Held(/* isCaching= */ true, Map.of(), one -> false);
    assertThat(SlowTasks.slowest(List.of(done, held(1, "b", 9000)), IDLE, NONE, silent)).isEmpty();
  }

  /** Divided by speed: eight tasks of 0.4 s, one after the other, end with one of 3 s. */
  @Test
  void slowest_heldPartitionOfABalancedStage_isNone() {
    List<Attempt> attempts = new ArrayList<>();
    for (int task = 0; task < 8; task++) {
      attempts.add(ended(task, "a", 400, /* ago= */ 400 * (7 - task) + 600));
    }
    attempts.add(held(8, "b", 3800));

    assertThat(slowest(attempts, IDLE, NONE)).isEmpty();
  }

  private static Attempt ended(int task, String executor, long millis, long ago) {
    return new Attempt(
        task, executor, executor, millis, millis + ago, State.SUCCESSFUL, /* isHeld= */ false);
  }

  private static Attempt held(int task, String executor, long millis) {
    return new Attempt(task, executor, executor, millis, millis, State.RUNNING, /* isHeld= */ true);
  }

  @Test
  void slowest_taskWithTwoAttempts_isNone() {
    assertThat(slowest(done(0, "a", 1000), running(1, "a", 100), running(1, "b", 9000))).isEmpty();
    Attempt failed = new Attempt(1, "a", "a", 100, 100, State.FAILED, /* isHeld= */ false);
    assertThat(slowest(done(0, "a", 1000), failed, running(1, "b", 9000))).isEmpty();
  }

  private static Optional<Second> slowest(Attempt... attempts) {
    return slowest(List.of(attempts), IDLE, NONE);
  }

  private static Optional<Second> slowest(
      List<Attempt> attempts, List<Executor> idle, Set<String> overtaken) {
    return SlowTasks.slowest(
        attempts, idle, overtaken, new Held(/* isCaching= */ false, Map.of(), one -> true));
  }

  private static Attempt running(int task, String executor, long millis) {
    return new Attempt(
        task, executor, executor, millis, millis, State.RUNNING, /* isHeld= */ false);
  }

  private static Attempt done(int task, String executor, long millis) {
    return new Attempt(task, executor, executor, millis, millis, State.SUCCESSFUL, false);
  }
}
