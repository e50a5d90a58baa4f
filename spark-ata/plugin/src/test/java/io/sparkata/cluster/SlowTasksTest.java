package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.spark.TaskAttempts.Attempt;
import io.sparkata.spark.TaskAttempts.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which task gets a second attempt. */
class SlowTasksTest {
  private static final Set<String> NONE = Set.of();
  private static final Set<String> IDLE = Set.of("a");

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
    assertThat(SlowTasks.slowest(attempts, IDLE, NONE)).isPresent();
    attempts.add(running(4, "b", 9000));
    assertThat(SlowTasks.slowest(attempts, IDLE, NONE)).isEmpty();
  }

  @Test
  void slowest_oneAndAHalfTimesTheMedian_isTheTask() {
    Attempt slow = running(2, "c", 1500);
    assertThat(slowest(done(0, "a", 800), done(1, "b", 1000), slow)).contains(slow);
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
        .contains(running(2, "c", 3000));
  }

  @Test
  void slowest_noOtherHostIsIdle_isNone() {
    List<Attempt> attempts = List.of(done(0, "a", 400), running(1, "b", 2000));
    assertThat(SlowTasks.slowest(attempts, Set.of(), NONE)).isEmpty();
    assertThat(SlowTasks.slowest(attempts, Set.of("b"), NONE)).isEmpty();
    assertThat(SlowTasks.slowest(attempts, Set.of("a", "b"), NONE)).isPresent();
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
    assertThat(SlowTasks.slowest(attempts.subList(0, 2), IDLE, Set.of("b"))).isEmpty();
    assertThat(SlowTasks.slowest(attempts.subList(0, 4), IDLE, Set.of("b", "d")))
        .contains(running(3, "d", 600));
    List<Attempt> two =
        List.of(done(5, "a", 600), attempts.get(0), attempts.get(3), attempts.get(4));
    assertThat(SlowTasks.slowest(two, IDLE, Set.of("d", "e"))).contains(running(4, "e", 700));
  }

  @Test
  void slowest_partitionThatOnlyItsExecutorHas_isNone() {
    assertThat(slowest(done(0, "a", 1000), new Attempt(1, "b", "b", 9000, State.RUNNING, true)))
        .isEmpty();
  }

  @Test
  void slowest_taskWithTwoAttempts_isNone() {
    assertThat(slowest(done(0, "a", 1000), running(1, "a", 100), running(1, "b", 9000))).isEmpty();
    Attempt failed = new Attempt(1, "a", "a", 100, State.FAILED, /* isHeld= */ false);
    assertThat(slowest(done(0, "a", 1000), failed, running(1, "b", 9000))).isEmpty();
  }

  private static Optional<Attempt> slowest(Attempt... attempts) {
    return SlowTasks.slowest(List.of(attempts), IDLE, NONE);
  }

  private static Attempt running(int task, String executor, long millis) {
    return new Attempt(task, executor, executor, millis, State.RUNNING, /* isHeld= */ false);
  }

  private static Attempt done(int task, String executor, long millis) {
    return new Attempt(task, executor, executor, millis, State.SUCCESSFUL, /* isHeld= */ false);
  }
}
