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
import org.junit.jupiter.params.provider.ValueSource;

class AllocatorTest {

  private final FakePolicy policy = new FakePolicy();
  private final Allocator allocator = new Allocator(policy, /* rowsPerUnit= */ 1);

  @Test
  void allocate_nobodySeen_asksThePolicyAboutAll() {
    assertThat(allocate(allocator, List.of("a", "b", "c"), 96)).containsExactly(96, 0, 0);
    assertThat(policy.asked).containsExactly("[a, b, c] 96");
  }

  @Test
  void allocate_newcomerJoins_capsItAtATenthOfItsEvenShare() {
    allocator.observe("b", 1, 1);
    allocator.observe("c", 1, 1);

    // floor(117 / 3 / 10) = 3
    assertThat(allocate(allocator, List.of("a", "b", "c"), 117)).containsExactly(3, 114, 0);
    assertThat(allocate(allocator, List.of("a", "b", "c"), 120)).containsExactly(4, 116, 0);
    assertThat(policy.asked).containsExactly("[b, c] 114", "[b, c] 116");
  }

  @Test
  void allocate_nobodySeenButBelieved_splitsByTheBeliefWithoutACap() {
    assertThat(allocate(believing(), List.of("a", "b", "c"), 192))
        .satisfies(
            units -> assertThat(units[0]).isBetween(104, 116),
            units -> assertThat(units[1]).isBetween(50, 60),
            units -> assertThat(units[2]).isBetween(22, 32));
  }

  @Test
  void allocate_believedNewcomerBesideSeen_keepsItsCap() {
    Allocator believing = believing();
    believing.observe("b", 64, 128);
    believing.observe("c", 64, 256);

    assertThat(allocate(believing, List.of("a", "b", "c"), 192)[0]).isEqualTo(192 / 3 / 10);
  }

  /** Reports of contended workers about the first round are ignored. */
  @Test
  void allocate_believedWorkersNotObservedInTheFirstRound_areNoNewcomers() {
    Allocator believing = believing();
    int[] first = allocate(believing, List.of("a", "b", "c"), 192);
    believing.observe("a", first[0], 1.35 * first[0]);

    assertThat(allocate(believing, List.of("a", "b", "c"), 192))
        .as("the optimum is 95, 64 and 32; newcomers would get 6 each")
        .satisfies(
            units -> assertThat(units[0]).isBetween(85, 105),
            units -> assertThat(units[1]).isBetween(54, 74),
            units -> assertThat(units[2]).isBetween(25, 40));
  }

  @Test
  void allocate_nothingBelievedOrObservedInTheFirstRound_areNewcomers() {
    policy.means = Map.of("a", Double.NaN, "b", Double.NaN);
    allocate(allocator, List.of("a", "b"), 64);
    allocator.observe("a", 1, 1);

    assertThat(allocate(allocator, List.of("a", "b"), 64)).containsExactly(61, 3);
  }

  private static Allocator believing() {
    Map<String, Prior> priors =
        Map.of("a", new Prior(1, 64), "b", new Prior(2, 64), "c", new Prior(4, 64));
    return new Allocator(
        AllocationPolicies.create(
            "adaptive", PolicySettings.defaults().withPriors(priors), /* loader= */ null),
        /* rowsPerUnit= */ 1);
  }

  @Test
  void allocate_newcomerObserved_liftsTheCap() {
    allocator.observe("b", 1, 1);
    allocator.observe("a", 3, 1);

    assertThat(allocate(allocator, List.of("a", "b"), 64)).containsExactly(64, 0);
  }

  @Test
  void allocate_newcomerKilled_liftsTheCap() {
    allocator.observe("b", 1, 1);
    allocator.observeAtLeast("a", 3, 1);

    assertThat(allocate(allocator, List.of("a", "b"), 64)).containsExactly(64, 0);
    assertThat(policy.observed).containsExactly("b 1.0 1.0", "a >= 3.0 1.0");
  }

  @Test
  void allocate_tenthBelowOneUnit_givesTheNewcomerOne() {
    allocator.observe("a", 1, 1);

    assertThat(allocate(allocator, List.of("a", "b"), 19)).containsExactly(18, 1);
  }

  @Test
  void allocate_budgetShorterThanNewcomers_givesOneEachWhileItLasts() {
    allocator.observe("a", 1, 1);

    assertThat(allocate(allocator, List.of("a", "b", "c", "d"), 2)).containsExactly(0, 1, 1, 0);
    assertThat(policy.asked).containsExactly("[a] 0");
  }

  @Test
  void allocate_onlyNewcomersLeft_asksThePolicyAboutAll() {
    allocator.observe("a", 1, 1);

    assertThat(allocate(allocator, List.of("b", "c"), 64)).containsExactly(64, 0);
  }

  @Test
  void allocate_workerLeavesAndComesBack_isNoNewcomer() {
    allocator.observe("a", 1, 1);
    allocator.observe("b", 1, 1);
    allocate(allocator, List.of("b"), 64);

    assertThat(allocate(allocator, List.of("a", "b"), 64)).containsExactly(64, 0);
    assertThat(policy.asked).containsExactly("[b] 64", "[a, b] 64");
  }

  static Stream<Arguments> invalidAnswers() {
    return Stream.of(
        Arguments.of(null, "null (one count per worker: 2)"),
        Arguments.of(new int[] {64}, "1 counts (one per worker: 2)"),
        Arguments.of(new int[] {65, -1}, "-1 units for worker 'b' (at least 0)"),
        Arguments.of(new int[] {32, 31}, "a sum of 63 units (the budget: 64)"),
        Arguments.of(
            new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE},
            "a sum of 4294967294 units (the budget: 64)"));
  }

  @ParameterizedTest
  @MethodSource("invalidAnswers")
  void allocate_invalidAnswerOfPolicy_throwsWithPolicyFoundAndAllowed(int[] answer, String rest) {
    policy.answers = false;
    policy.answer = answer;

    assertThatThrownBy(() -> allocate(allocator, List.of("a", "b"), 64))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Invalid allocation of policy 'fake': " + rest);
  }

  @Test
  void allocate_invalidRound_throws() {
    assertThatThrownBy(() -> allocate(allocator, List.of(), 64))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid workers: [] (at least one)");
    assertThatThrownBy(() -> allocate(allocator, List.of("a", "a"), 64))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid workers: [a, a] (distinct)");
    assertThatThrownBy(() -> allocate(allocator, List.of("a"), -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid budget: -1 (at least 0 units)");
  }

  @Test
  void observe_invalidNumbers_throwsAndLeavesTheWorkerUnseen() {
    assertThatThrownBy(() -> allocator.observe("a", 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid units of worker 'a': 0.0 (greater than 0 and finite)");
    assertThatThrownBy(() -> allocator.observeAtLeast("a", 1, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid time of worker 'a': NaN (greater than 0 and finite)");
    assertThat(policy.observed).isEmpty();
    allocator.observe("b", 1, 1);
    assertThat(allocate(allocator, List.of("a", "b"), 64)[0]).isEqualTo(64 / 2 / 10);
  }

  @Test
  void allocate_unitsOfAnotherSize_tellsThePolicyAndLeavesEstimatesAlone() {
    Allocator large = new Allocator(policy, /* rowsPerUnit= */ 10);
    large.observe("a", /* rows= */ 40, 8);
    large.observeAtLeast("a", /* rows= */ 20, 4);

    large.allocate(List.of("a"), 64, /* rows= */ 640);
    large.allocate(List.of("a"), 64, /* rows= */ 1280);
    large.allocate(List.of("a"), 64, /* rows= */ 160);

    assertThat(policy.observed).containsExactly("a 4.0 8.0", "a >= 2.0 4.0");
    assertThat(policy.unitSizes).containsExactly(1.0, 2.0, 0.25);
    assertThat(large.nanosPerRow("a")).isEqualTo(0.7);
  }

  @Test
  void observeOverhead_always_goesToThePolicyThatCanUseIt() {
    policy.overheads = Map.of("a", 3.0);
    allocator.observeOverhead("a", 3);

    assertThat(policy.observed).containsExactly("a + 3.0");
    assertThat(allocator.overheadNanos("a")).isEqualTo(3);

    Allocator unaware =
        new Allocator(
            AllocationPolicies.create("uniform", PolicySettings.defaults(), /* loader= */ null),
            /* rowsPerUnit= */ 1);
    unaware.observeOverhead("a", 3);
    assertThat(unaware.overheadNanos("a")).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void observeOverhead_noTime_isRefused(double time) {
    assertThatThrownBy(() -> allocator.observeOverhead("a", time))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid overhead of worker 'a': " + time + " (at least 0 and finite)");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void rows_notPositive_areRefused(double rows) {
    assertThatThrownBy(() -> new Allocator(policy, rows))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid rows per unit: " + rows + " (greater than 0 and finite)");
    assertThatThrownBy(() -> allocator.allocate(List.of("a"), 64, rows))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid rows: " + rows + " (greater than 0 and finite)");
  }

  private static int[] allocate(Allocator allocator, List<String> workers, int budget) {
    return allocator.allocate(workers, budget, /* rows= */ Math.max(1, budget));
  }
}
