package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AllocatorTest {

  private final FakePolicy policy = new FakePolicy();
  private final Allocator allocator = new Allocator(policy);

  @Test
  void allocate_nobodySeen_asksThePolicyAboutAll() {
    assertThat(allocator.allocate(List.of("a", "b", "c"), 96)).containsExactly(96, 0, 0);
    assertThat(policy.asked).containsExactly("[a, b, c] 96");
  }

  @Test
  void allocate_newcomerJoins_capsItAtATenthOfItsEvenShare() {
    allocator.observe("b", 1, 1);
    allocator.observe("c", 1, 1);

    // floor(117 / 3 / 10) = 3
    assertThat(allocator.allocate(List.of("a", "b", "c"), 117)).containsExactly(3, 114, 0);
    assertThat(allocator.allocate(List.of("a", "b", "c"), 120)).containsExactly(4, 116, 0);
    assertThat(policy.asked).containsExactly("[b, c] 114", "[b, c] 116");
  }

  @Test
  void allocate_newcomerObserved_liftsTheCap() {
    allocator.observe("b", 1, 1);
    allocator.observe("a", 3, 1);

    assertThat(allocator.allocate(List.of("a", "b"), 64)).containsExactly(64, 0);
  }

  @Test
  void allocate_newcomerKilled_liftsTheCap() {
    allocator.observe("b", 1, 1);
    allocator.observeAtLeast("a", 3, 1);

    assertThat(allocator.allocate(List.of("a", "b"), 64)).containsExactly(64, 0);
    assertThat(policy.observed).containsExactly("b 1.0 1.0", "a >= 3.0 1.0");
  }

  @Test
  void allocate_tenthBelowOneUnit_givesTheNewcomerOne() {
    allocator.observe("a", 1, 1);

    assertThat(allocator.allocate(List.of("a", "b"), 19)).containsExactly(18, 1);
  }

  @Test
  void allocate_budgetShorterThanNewcomers_givesOneEachWhileItLasts() {
    allocator.observe("a", 1, 1);

    assertThat(allocator.allocate(List.of("a", "b", "c", "d"), 2)).containsExactly(0, 1, 1, 0);
    assertThat(policy.asked).containsExactly("[a] 0");
  }

  @Test
  void allocate_onlyNewcomersLeft_asksThePolicyAboutAll() {
    allocator.observe("a", 1, 1);

    assertThat(allocator.allocate(List.of("b", "c"), 64)).containsExactly(64, 0);
  }

  @Test
  void allocate_workerLeavesAndComesBack_isNoNewcomer() {
    allocator.observe("a", 1, 1);
    allocator.observe("b", 1, 1);
    allocator.allocate(List.of("b"), 64);

    assertThat(allocator.allocate(List.of("a", "b"), 64)).containsExactly(64, 0);
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

    assertThatThrownBy(() -> allocator.allocate(List.of("a", "b"), 64))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Invalid allocation of policy 'fake': " + rest);
  }

  @Test
  void allocate_invalidRound_throws() {
    assertThatThrownBy(() -> allocator.allocate(List.of(), 64))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid workers: [] (at least one)");
    assertThatThrownBy(() -> allocator.allocate(List.of("a", "a"), 64))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid workers: [a, a] (distinct)");
    assertThatThrownBy(() -> allocator.allocate(List.of("a"), -1))
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
    assertThat(allocator.isSeen("a")).isFalse();
    assertThat(policy.observed).isEmpty();
  }

  @Test
  void isSeen_observed_isTrueForThatWorkerOnly() {
    allocator.observe("a", 1, 1);

    assertThat(allocator.isSeen("a")).isTrue();
    assertThat(allocator.isSeen("b")).isFalse();
  }

  @Test
  void meanTimeAndPolicyId_always_comeFromThePolicy() {
    assertThat(allocator.meanTime("a")).isEqualTo(7);
    assertThat(allocator.policyId()).isEqualTo("fake");
  }

  /** Gives everything to the first worker, or the answer set. */
  private static final class FakePolicy implements AllocationPolicy {

    final List<String> asked = new ArrayList<>();
    final List<String> observed = new ArrayList<>();
    boolean answers = true;
    int[] answer;

    @Override
    public String id() {
      return "fake";
    }

    @Override
    public int[] allocate(List<String> workers, int budget) {
      asked.add(workers + " " + budget);
      if (answers) {
        answer = new int[workers.size()];
        answer[0] = budget;
      }
      return answer;
    }

    @Override
    public void observe(String worker, double units, double time) {
      observed.add(worker + " " + units + " " + time);
    }

    @Override
    public void observeAtLeast(String worker, double units, double time) {
      observed.add(worker + " >= " + units + " " + time);
    }

    @Override
    public double meanTime(String worker) {
      return 7;
    }
  }
}
