package io.sparkata.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.Allocator;
import io.sparkata.allocation.PolicySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spark drops events when it is busy. Allocation follows the speeds by those that arrive. */
class LostEventsTest {
  private static final long FEEDBACK = 1;
  private static final List<String> EXECUTORS = List.of("a", "b", "c");
  private static final long[] NANOS_PER_ROW = {1000, 2000, 4000};

  /** In proportion to the speeds 4, 2 and 1. */
  private static final int[] BEST = {112, 56, 28};

  private static final int BUDGET = 196;
  private static final int ROWS_PER_UNIT = 10;
  private static final int ROUNDS = 60;
  private static final int TOLERANCE = 4;

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 0.9})
  void allocate_eventsDropped_followsTheSpeeds(double dropped) {
    int[] allocation = allocation(dropped);

    for (int i = 0; i < BEST.length; i++) {
      assertThat(Math.abs(allocation[i] - BEST[i])).as(EXECUTORS.get(i)).isLessThan(TOLERANCE);
    }
  }

  /** The last of the rounds. */
  private static int[] allocation(double dropped) {
    FeedbackListener listener = new FeedbackListener();
    CallFeedback feedback = new CallFeedback(FEEDBACK, 2, 3, new Counters());
    listener.add(feedback);
    Allocator allocator =
        new Allocator(
            AllocationPolicies.create(
                "adaptive", PolicySettings.defaults(), LostEventsTest.class.getClassLoader()),
            ROWS_PER_UNIT);
    Random random = new Random(7);
    int[] units = new int[EXECUTORS.size()];
    for (int round = 1; round <= ROUNDS; round++) {
      units = allocator.allocate(EXECUTORS, BUDGET, BUDGET * ROWS_PER_UNIT);
      if (random.nextDouble() >= dropped) {
        listener.onOtherEvent(event(round, units));
      }
      for (Observation seen : feedback.drain()) {
        allocator.observe(seen.executorId(), seen.rows(), seen.nanos());
      }
    }
    return units;
  }

  private static ResidentRound event(int round, int[] units) {
    List<ResidentRound.Task> tasks = new ArrayList<>();
    for (int i = 0; i < units.length; i++) {
      long rows = (long) units[i] * ROWS_PER_UNIT;
      tasks.add(
          new ResidentRound.Task(
              EXECUTORS.get(i), 1, rows, rows * NANOS_PER_ROW[i], 0, 0, /* contended= */ false));
    }
    return new ResidentRound(FEEDBACK, round, tasks);
  }
}
