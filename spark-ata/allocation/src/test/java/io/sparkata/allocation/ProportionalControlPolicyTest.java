package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProportionalControlPolicyTest {

  private static final List<String> WORKERS = List.of("a", "b");

  private final AllocationPolicy policy = new ProportionalControlPolicy(PolicySettings.defaults());

  /** After b = (1/2, 1/2), t = (0.5, 1.5), db = (1/2, -1/6), scaled to (3/4, 1/4). */
  @BeforeEach
  void takeOneStep() {
    assertThat(policy.allocate(WORKERS, 100)).containsExactly(50, 50);
    policy.observe("a", 50, 50);
    policy.observe("b", 50, 150);
    assertThat(policy.allocate(WORKERS, 100)).containsExactly(75, 25);
  }

  /**
   * By the time of a, whose mean time becomes (25 + time) / 100.
   *
   * <p>79: t = (0.78, 0.75), db_a / b_a = -0.019, within the dead band. 175: t = (1.5, 0.75), mean
   * t = 1.125, b + db = (0.5625, 0.375), scaled to (0.6, 0.4). 85.6: the mean is 1.106, db / b =
   * (-0.048, 0.053), so that b moves alone, to 0.25 * 0.78975 / 0.75, and both are scaled.
   */
  @ParameterizedTest
  @CsvSource({"79, 75000, 25000", "175, 60000, 40000", "85.6, 74019, 25981"})
  void allocate_change_isMadeBeyondTheDeadBand(double time, int a, int b) {
    policy.observe("a", 75, time);

    assertThat(policy.allocate(WORKERS, 100_000)).containsExactly(a, b);
  }

  @Test
  void allocate_hundredTimesSlower_isClippedToATenthOfTheEqualShare() {
    AllocationPolicy fresh = new ProportionalControlPolicy(PolicySettings.defaults());
    fresh.observe("a", 1, 1);
    fresh.observe("b", 1, 100);

    // (100/101, 1/20), scaled to sum to 1; and it stays there.
    for (int round = 0; round < 5; round++) {
      assertThat(fresh.allocate(WORKERS, 1000)).containsExactly(952, 48);
    }
  }

  @Test
  void allocate_thousandTimesFaster_isClippedToTenEqualShares() {
    AllocationPolicy fresh = new ProportionalControlPolicy(PolicySettings.defaults());
    List<String> workers = IntStream.range(0, 30).mapToObj(i -> "w" + i).toList();
    for (int i = 0; i < 30; i++) {
      fresh.observe(workers.get(i), 1, i == 0 ? 1 : 1000);
    }

    // (10, 1/10, ..) equal shares are scaled by 30 / 12.9.
    int[] allocation = fresh.allocate(workers, 1290);
    assertThat(allocation[0]).isEqualTo(1000);
    assertThat(allocation).endsWith(10, 10, 10);
  }
}
