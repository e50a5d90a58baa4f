package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What exceeds the capacity of a worker. */
class AllocatorLimitTest {

  private final FakePolicy policy = new FakePolicy();
  private final Allocator allocator = new Allocator(policy, /* rowsPerUnit= */ 1);

  @Test
  void limit_capacitiesNotReached_isThePolicysAnswer() {
    assertThat(limited(List.of("a", "b", "c"), new int[] {96, 0, 0}, 96)).containsExactly(96, 0, 0);
    assertThat(policy.asked).containsExactly("[a, b, c] 96");
  }

  @Test
  void limit_capacityExceeded_handsTheExcessToTheLeastLoads() {
    policy.means = Map.of("a", 1.0, "b", 2.0, "c", 3.0);
    seeAll("a", "b", "c");

    // Loads of b: 2, 4, 6, 8, 10; of c: 3, 6, 9, 12. The first eight, the sixes among them.
    assertThat(limited(List.of("a", "b", "c"), new int[] {5, 9, 9}, 13)).containsExactly(5, 5, 3);
    assertThat(limited(List.of("a", "b", "c"), new int[] {5, 3, 9}, 13)).containsExactly(5, 3, 5);
    assertThat(policy.asked).as("as without limits").containsOnly("[a, b, c] 13");
  }

  @Test
  void limit_excess_countsWhatAWorkerHasAlready() {
    policy.means = Map.of("a", 1.0, "b", 1.0, "c", 1.0);
    policy.answer = new int[] {10, 6, 0};
    policy.answers = false;
    seeAll("a", "b", "c");

    assertThat(limited(List.of("a", "b", "c"), new int[] {2, 16, 16}, 16)).containsExactly(2, 7, 7);
  }

  @Test
  void limit_newcomerBesideFreeRoom_keepsItsCap() {
    policy.means = Map.of("a", 1.0, "b", 50.0, "new", 0.1);
    seeAll("a", "b");

    assertThat(limited(List.of("a", "b", "new"), new int[] {10, 90, 90}, 90))
        .containsExactly(10, 77, 3);
  }

  @Test
  void limit_onlyNewcomersHaveRoom_giveThemTheExcess() {
    policy.means = Map.of("a", 1.0, "b", 2.0);
    seeAll("a", "b");

    assertThat(limited(List.of("a", "x", "b", "y"), new int[] {10, 90, 10, 90}, 80))
        .as("2 each under the cap, then by the time of b")
        .containsExactly(10, 30, 10, 30);
  }

  @Test
  void limit_seenButWithoutAMeanTime_getsTheExcessLast() {
    policy.means = Map.of("a", 1.0, "b", 1.0, "c", Double.NaN);
    seeAll("a", "b", "c");

    assertThat(limited(List.of("a", "b", "c"), new int[] {10, 20, 60}, 25))
        .containsExactly(10, 15, 0);
    assertThat(limited(List.of("a", "b", "c"), new int[] {10, 20, 60}, 60))
        .containsExactly(10, 20, 30);
  }

  @Test
  void limit_nobodyMeasured_splitsTheExcessByUnits() {
    policy.means = Map.of("a", Double.NaN, "b", 0.0, "c", Double.POSITIVE_INFINITY);

    assertThat(limited(List.of("a", "b", "c"), new int[] {10, 60, 60}, 60))
        .containsExactly(10, 25, 25);
  }

  @Test
  void limit_nobodySeenButBelieved_splitsTheExcessByTheBelief() {
    policy.means = Map.of("a", 1.0, "b", 1.0, "c", 4.0);

    assertThat(limited(List.of("a", "b", "c"), new int[] {10, 60, 60}, 60))
        .containsExactly(10, 40, 10);
  }

  @Test
  void limit_loadBeyondTheDoubles_staysInTheCapacities() {
    policy.means = Map.of("a", Double.MAX_VALUE, "b", 1.0);
    policy.answer = new int[] {3, 9};
    policy.answers = false;
    seeAll("a", "b");

    assertThat(limited(List.of("a", "b"), new int[] {12, 4}, 12)).containsExactly(8, 4);
  }

  static Stream<Arguments> invalidCapacities() {
    return Stream.of(
        Arguments.of(new int[] {64}, "Invalid capacities: 1 values (one per worker: 2)"),
        Arguments.of(new int[] {64, -1}, "Invalid capacity of worker 'b': -1 (at least 0 units)"),
        Arguments.of(
            new int[] {60, 3}, "Invalid capacities: sum 63 (at least the budget, 64 units)"));
  }

  @ParameterizedTest
  @MethodSource("invalidCapacities")
  void limit_invalidCapacities_throws(int[] capacities, String message) {
    assertThatThrownBy(() -> allocator.limit(List.of("a", "b"), new int[] {32, 32}, capacities, 64))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void limit_capacitiesForAnInvalidRound_throws() {
    assertThatThrownBy(() -> limited(List.of(), new int[] {}, 64))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid workers: [] (at least one)");
    assertThatThrownBy(() -> limited(List.of("a", "a"), new int[] {9, 9}, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid workers: [a, a] (distinct)");
  }

  @Test
  void limit_capacitiesBeyondTheIntegers_areAllowed() {
    int[] unlimited = {Integer.MAX_VALUE, Integer.MAX_VALUE, 0};

    assertThat(limited(List.of("a", "b", "c"), unlimited, 96)).containsExactly(96, 0, 0);
  }

  /** By its time per unit alone "b" would take all that exceeds the capacity of "a". */
  @Test
  void limit_overheads_countBesidesTheUnits() {
    seeAll("a", "b", "c");
    policy.means = Map.of("a", 1.0, "b", 1.0, "c", 2.0);
    policy.overheads = Map.of("b", 40.0);
    int[] allocation = {30, 0, 0};

    assertThat(allocator.limit(List.of("a", "b", "c"), allocation, new int[] {9, 99, 99}, 30))
        .containsExactly(9, 1, 20);
    assertThat(allocation).containsExactly(30, 0, 0);
  }

  /** Ten rows a unit: "b" has 40 for its first unit and 10 for each, "c" 20 for each. */
  @Test
  void limit_largerUnits_countsTheirRows() {
    seeAll("a", "b", "c");
    policy.means = Map.of("a", 1.0, "b", 1.0, "c", 2.0);
    policy.overheads = Map.of("b", 40.0);

    assertThat(
            allocator.limit(
                List.of("a", "b", "c"), new int[] {8, 0, 0}, new int[] {2, 9, 9}, /* rows= */ 80))
        .containsExactly(2, 3, 3);
  }

  private void seeAll(String... workers) {
    for (String worker : workers) {
      allocator.observe(worker, 1, 1);
    }
  }

  private int[] limited(List<String> workers, int[] capacities, int budget) {
    int[] allocation = allocator.allocate(workers, budget, /* rows= */ Math.max(1, budget));
    return allocator.limit(workers, allocation, capacities, /* rows= */ budget);
  }
}
